package io.github.checktoken.introspection.token;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import org.keycloak.common.util.Base64Url;
import org.keycloak.crypto.SignatureProvider;
import org.keycloak.jose.jws.JWSHeader;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.encode.TokenContextEncoderProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.util.JsonSerialization;
import org.keycloak.util.TokenUtil;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;

/** What a text must be to be an access token of this realm, beside what Keycloak's verifier checks. */
record AccessTokenFormat(KeycloakSession session) {

    private static final List<String> ACCESS_TOKEN_TYPES =
            List.of(TokenUtil.TOKEN_TYPE_BEARER, TokenUtil.TOKEN_TYPE_DPOP);

    private static final ObjectReader STRICT =
            JsonSerialization.mapper.readerFor(JsonNode.class).with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    /**
     * Keycloak's verifier, which checks the signature afterwards, fails with a NullPointerException if a JWT has no
     * header or no {@code alg}, and on 26.5 also if it does not know the {@code alg}.
     *
     * @return empty if there is no header with an algorithm that Keycloak knows
     */
    Optional<JWSHeader> header(String encoded) {
        int end = encoded.indexOf('.');
        if (end < 0) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(
                            JsonSerialization.readValue(Base64Url.decode(encoded.substring(0, end)), JWSHeader.class))
                    .filter(header -> header.getAlgorithm() != null
                            && session.getProvider(
                                            SignatureProvider.class,
                                            header.getAlgorithm().name())
                                    != null);
        } catch (IOException | RuntimeException e) {
            // Keycloak's decoder also throws unchecked exceptions, for example for "=".
            return Optional.empty();
        }
    }

    /**
     * RFC 7519 section 4. Keycloak reads the last of two claims, and a mapper can add one that Keycloak has set itself,
     * for example {@code sid}.
     */
    static boolean hasEachClaimOnce(String encoded) {
        try {
            STRICT.readTree(Base64Url.decode(encoded.split("\\.")[1]));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it is no other token that the realm signs, such as an ID token, and has the claims that checks need. */
    boolean isAccessToken(AccessToken token) {
        return hasRequiredClaims(token) && ACCESS_TOKEN_TYPES.contains(String.valueOf(token.getType()));
    }

    /**
     * Keycloak accepts a token without {@code exp}, or with 0, as one that never expires. Its checks fail with an
     * exception if {@code iat} or a readable {@code jti} is missing.
     */
    private boolean hasRequiredClaims(AccessToken token) {
        return token.getIat() != null && token.getExp() != null && token.getExp() != 0 && isReadableId(token.getId());
    }

    private boolean isReadableId(String tokenId) {
        try {
            return tokenId != null
                    && session.getProvider(TokenContextEncoderProvider.class).getTokenContextFromTokenId(tokenId)
                            != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
