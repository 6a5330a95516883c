package io.github.checktoken.introspection.jose;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.SignatureProvider;
import org.keycloak.crypto.SignatureSignerContext;
import org.keycloak.jose.jws.JWSBuilder;
import org.keycloak.models.KeycloakSession;
import org.keycloak.util.JsonSerialization;

/** Signs an answer with a key of the realm, which may be in an HSM. No key is stored or logged. */
public record AnswerSigner(SignatureSignerContext signer) {

    /** RFC 9701 section 5. A verifier must check it, so that it accepts no other JWT of this realm as an answer. */
    private static final String TYPE = "token-introspection+jwt";

    private static final int BLOCK_BYTES = 512;

    /** The answer for an inactive token has one, and for most people's data two. */
    private static final int FEWEST_BLOCKS = 2;

    /** @return empty if the realm has no active key for the algorithm; no key is created */
    public static Optional<AnswerSigner> of(KeycloakSession session, String algorithm) {
        return activeKeys(session)
                .filter(key -> algorithm.equals(key.getAlgorithmOrDefault()))
                .findFirst()
                .map(key -> new AnswerSigner(CryptoProviders.chosen()
                        .signer(
                                session.getProvider(SignatureProvider.class, algorithm)
                                        .signer(key),
                                key)));
    }

    /**
     * @return the algorithms that an answer can be signed with now, in the order of {@link JoseAlgorithms#SIGNATURE}
     */
    public static List<String> availableAlgorithms(KeycloakSession session) {
        List<String> ofRealm =
                activeKeys(session).map(KeyWrapper::getAlgorithmOrDefault).toList();
        return JoseAlgorithms.SIGNATURE.stream().filter(ofRealm::contains).toList();
    }

    /** In order of priority, as Keycloak chooses. {@code KeyManager.getActiveKey} would create a missing key. */
    private static Stream<KeyWrapper> activeKeys(KeycloakSession session) {
        return session.keys()
                .getKeysStream(session.getContext().getRealm())
                .filter(key -> key.getStatus().isActive() && KeyUse.SIG.equals(key.getUse()));
    }

    /**
     * @return a JWS in compact serialization with {@code alg}, {@code kid} and {@code typ} in its header
     * @throws UncheckedIOException if a value of the payload has no form in JSON
     */
    public String sign(Map<String, Object> payload) {
        try {
            byte[] json = padded(JsonSerialization.writeValueAsBytes(payload));
            return new JWSBuilder().type(TYPE).content(json).sign(signer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * White space may follow the object (RFC 8259 section 2). Otherwise the length of the encrypted answer, which is no
     * secret, would tell an active token from an inactive one.
     */
    static byte[] padded(byte[] json) {
        int blocks = Math.max(FEWEST_BLOCKS, (json.length + BLOCK_BYTES - 1) / BLOCK_BYTES);
        byte[] padded = Arrays.copyOf(json, blocks * BLOCK_BYTES);
        Arrays.fill(padded, json.length, padded.length, (byte) ' ');
        return padded;
    }
}
