package io.github.checktoken.introspection.secretguess;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.OAuth2Constants;
import org.keycloak.jose.jws.AlgorithmType;
import org.keycloak.jose.jws.JWSHeader;
import org.keycloak.jose.jws.JWSInput;
import org.keycloak.jose.jws.JWSInputException;
import org.keycloak.jose.jws.crypto.HMACProvider;
import org.keycloak.representations.JsonWebToken;
import org.keycloak.util.BasicAuthHelper;

/**
 * A client secret that a call presents, read as Keycloak's client authenticators read it. Signatures with a private key
 * and certificates do not count as secrets, because nobody can guess them.
 *
 * @param clientId as presented, whether or not there is such a client
 * @param secret the secret, or the assertion that is signed with it
 * @param isAssertion whether it is an assertion
 */
public record PresentedSecret(String clientId, String secret, boolean isAssertion) {

    /**
     * @param authorization the first Authorization header, which is the one that Keycloak reads; null if there is none
     * @return at most two: if a call has both a secret and an assertion, Keycloak checks both
     */
    public static List<PresentedSecret> in(MultivaluedMap<String, String> form, String authorization) {
        return Stream.concat(plain(form, authorization).stream(), assertion(form).stream())
                .toList();
    }

    /**
     * Whether it is this secret, or an assertion that is signed with it. Neither the claims of the assertion are checked
     * nor whether the client may authenticate in this way.
     */
    boolean isMadeWith(String clientSecret) {
        byte[] bytes = clientSecret.getBytes(StandardCharsets.UTF_8);
        if (!isAssertion) {
            return MessageDigest.isEqual(bytes, secret.getBytes(StandardCharsets.UTF_8));
        }
        try {
            JWSInput assertion = new JWSInput(secret);
            byte[] signed = assertion.getEncodedSignatureInput().getBytes(StandardCharsets.UTF_8);
            return MessageDigest.isEqual(
                    HMACProvider.sign(signed, assertion.getHeader().getAlgorithm(), bytes), assertion.getSignature());
        } catch (JWSInputException e) {
            // It was read before.
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads a secret from the body or from HTTP Basic. The body has precedence, for the client_id and for the secret.
     */
    private static Optional<PresentedSecret> plain(MultivaluedMap<String, String> form, String authorization) {
        String[] basic = basic(authorization);
        String clientId =
                form.containsKey(OAuth2Constants.CLIENT_ID) ? form.getFirst(OAuth2Constants.CLIENT_ID) : basic[0];
        String secret = form.containsKey(OAuth2Constants.CLIENT_SECRET)
                ? form.getFirst(OAuth2Constants.CLIENT_SECRET)
                : basic[1];
        return clientId == null || secret == null
                ? Optional.empty()
                : Optional.of(new PresentedSecret(clientId, secret, false));
    }

    /** @return client_id and secret, both null if the header has none */
    private static String[] basic(String authorization) {
        String[] none = new String[2];
        try {
            String[] basic = authorization == null ? null : BasicAuthHelper.RFC6749.parseHeader(authorization);
            return basic == null ? none : basic;
        } catch (IllegalArgumentException e) {
            // The header has a malformed % sequence, for which Keycloak's client authentication fails too.
            return none;
        }
    }

    /** Reads an assertion that is signed with a client secret. */
    private static Optional<PresentedSecret> assertion(MultivaluedMap<String, String> form) {
        String assertion = form.getFirst(OAuth2Constants.CLIENT_ASSERTION);
        if (assertion == null) {
            return Optional.empty();
        }
        try {
            JWSInput jws = new JWSInput(assertion);
            JsonWebToken claims = jws.readJsonContent(JsonWebToken.class);
            return !isHmac(jws.getHeader()) || claims == null || claims.getSubject() == null
                    ? Optional.empty()
                    : Optional.of(new PresentedSecret(claims.getSubject(), assertion, true));
        } catch (JWSInputException e) {
            // Keycloak cannot read the assertion either.
            return Optional.empty();
        }
    }

    private static boolean isHmac(JWSHeader header) {
        return header != null
                && header.getAlgorithm() != null
                && header.getAlgorithm().getType() == AlgorithmType.HMAC;
    }
}
