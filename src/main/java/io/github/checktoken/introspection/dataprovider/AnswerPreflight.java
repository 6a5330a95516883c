package io.github.checktoken.introspection.dataprovider;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.jose.AnswerSigner;

/**
 * Checks a data provider's settings and the realm's key for its answers. A call does this before it looks at the token and
 * ends with the first problem; the administrators' view shows all of them.
 */
public final class AnswerPreflight {

    private final List<Problem> problems = new ArrayList<>();
    private final Optional<AnswerSigner> signer;

    public AnswerPreflight(KeycloakSession session, DataProviderConfig config) {
        config.unsupportedSettings()
                .forEach(setting -> problems.add(new Problem(
                        setting.toString(),
                        "checktokenUnsupportedSetting",
                        List.of(setting.setting(), setting.value()))));
        String algorithm = config.signatureAlgorithm();
        signer = AnswerSigner.of(session, algorithm);
        // A key for an algorithm that is not supported would not help.
        if (signer.isEmpty() && config.isSignatureAlgorithmSupported()) {
            problems.add(new Problem(
                    "the realm has no active key for " + algorithm, "checktokenNoRealmKey", List.of(algorithm)));
        }
    }

    /**
     * A problem that prevents answers.
     *
     * @param reason for events
     * @param message a key of the admin messages, and what it is filled with
     */
    public record Problem(String reason, String message, List<String> parameters) {}

    /** The problems, in the order in which a call checks for them. */
    public List<Problem> problems() {
        return List.copyOf(problems);
    }

    /** @throws java.util.NoSuchElementException if the realm has no key. One of the problems says so, or says that the
     *     algorithm is not supported */
    public AnswerSigner signer() {
        return signer.orElseThrow();
    }
}
