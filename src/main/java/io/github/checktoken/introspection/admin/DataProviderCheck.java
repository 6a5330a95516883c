package io.github.checktoken.introspection.admin;

import java.text.MessageFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.admin.DataProviderStatus.Key;
import io.github.checktoken.introspection.admin.DataProviderStatus.Source;
import io.github.checktoken.introspection.dataprovider.AnswerCounts;
import io.github.checktoken.introspection.dataprovider.AnswerPreflight;
import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.dataprovider.DataProviderConfig;
import io.github.checktoken.introspection.dataprovider.OmittedClaims;
import io.github.checktoken.introspection.keys.ClientJwks;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyStatus;

/**
 * Checks the client, the settings and the keys of one data provider, as a call does before it checks the token. It also
 * reports client scopes that tell the data provider more than identity data, and claims that were left out.
 */
final class DataProviderCheck {

    private final KeycloakSession session;
    private final Properties messages;
    private final DataProvider dataProvider;
    private final DataProviderConfig config;
    private final long deadline;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final RegistrationReview review;

    /**
     * @param messages the Admin Console's texts in the administrator's language
     * @param deadline how long to wait for its encryption key at most, as a value of {@link System#nanoTime()}
     */
    DataProviderCheck(KeycloakSession session, Properties messages, DataProvider dataProvider, long deadline) {
        this.deadline = deadline;
        this.session = session;
        this.messages = messages;
        this.dataProvider = dataProvider;
        this.config = dataProvider.config();
        this.review = new RegistrationReview(session, dataProvider, this::warning);
    }

    DataProviderStatus status() {
        ClientModel client = dataProvider.client();
        if (!client.isEnabled()) {
            problem("checktokenDisabled");
        }
        if (client.isPublicClient()) {
            problem("checktokenPublic");
        }
        new AnswerPreflight(session, config)
                .problems()
                .forEach(it -> problem(it.message(), it.parameters().toArray()));
        Key key = key();
        review.reviewSettings();
        dataProvider
                .broadDefaultScopes(session)
                .forEach(scope -> problem("checktokenBroadScope", scope.name(), String.join(", ", scope.claims())));
        OmittedClaims.of(session)
                .of(client)
                .forEach(omission -> problem("checktokenOmittedClaim", omission.claim(), omission.reason()));
        return new DataProviderStatus(
                client.getClientId(),
                client.getName(),
                client.isEnabled(),
                client.getClientScopes(false).keySet().stream().sorted().toList(),
                config.signatureAlgorithm(),
                config.keyAlgorithm(),
                config.contentAlgorithm(),
                config.requiresScope(),
                config.disclosesAuthTime(),
                key,
                text(AnswerCounts.of(session).last(client.getId())),
                AnswerCounts.of(session).of(client),
                AnswerCounts.of(session).ofLastHour(client),
                List.copyOf(names),
                List.copyOf(problems),
                List.copyOf(warnings));
    }

    private Key key() {
        Optional<ClientJwks> jwks = ClientJwks.of(dataProvider.client());
        if (jwks.isEmpty()) {
            problem("checktokenNoJwks");
            return Key.NONE;
        }
        review.reviewJwksUrl(jwks.get().url());
        if (!config.isKeyAlgorithmSupported()) {
            return key(jwks.get(), null);
        }
        EncryptionKeyStatus status = session.getProvider(EncryptionKeyProvider.class)
                .status(dataProvider.client(), jwks.get(), config.keyAlgorithm(), deadline);
        reportLoad(status);
        status.privateMembers().ifPresent(members -> problem("checktokenPrivateKey", members));
        review.reviewKey(status);
        return key(jwks.get(), status);
    }

    private void reportLoad(EncryptionKeyStatus status) {
        String algorithm = config.keyAlgorithm();
        String failure = status.failure().orElse("");
        // Without a failure no load has ended yet: this one waits for those of other data providers.
        if (status.key().isEmpty() && (status.loading() || failure.isEmpty())) {
            problem("checktokenLoadingKey", algorithm);
        } else if (status.key().isEmpty()) {
            problem("checktokenNoKey", algorithm, failure);
        } else if (!failure.isEmpty()) {
            problem("checktokenStaleKey", failure);
        }
    }

    /** @param status null if no key can be looked for */
    private static Key key(ClientJwks jwks, EncryptionKeyStatus status) {
        Optional<EncryptionKeyStatus> known = Optional.ofNullable(status);
        String url = jwks.url().orElse(null);
        return new Key(
                url == null ? Source.JWKS : Source.JWKS_URL,
                url,
                known.flatMap(EncryptionKeyStatus::key).isPresent(),
                known.flatMap(EncryptionKeyStatus::key).map(KeyWrapper::getKid).orElse(null),
                text(known.flatMap(EncryptionKeyStatus::issued)),
                text(known.flatMap(EncryptionKeyStatus::knownSince)),
                text(known.flatMap(EncryptionKeyStatus::lastLoad)),
                known.flatMap(EncryptionKeyStatus::failure).orElse(null),
                text(known.map(EncryptionKeyStatus::nextLoad).filter(time -> url != null)));
    }

    /** Jackson, as Keycloak uses it, does not write an {@link Instant} as text. */
    private static String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse(null);
    }

    private void problem(String message, Object... parameters) {
        problems.add(text(message, parameters));
        names.add(ProblemName.of(message));
    }

    private void warning(String message, Object parameter) {
        warnings.add(text(message, parameter));
        names.add(ProblemName.of(message));
    }

    /** @param message a key of the Admin Console's texts; shown itself if there is no text for it */
    private String text(String message, Object... parameters) {
        return MessageFormat.format(messages.getProperty(message, message), parameters);
    }
}
