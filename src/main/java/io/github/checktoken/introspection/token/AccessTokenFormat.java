package io.github.checktoken.introspection.token;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private static final ObjectReader STRICT =
            JsonSerialization.mapper.readerFor(JsonNode.class).with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    /**
     * The header of a JWS in its compact form. Keycloak's verifier, which checks the signature afterwards, fails with a NullPointerException if a JWT has no
     * header or no {@code alg}, and on 26.5 also if it does not know the {@code alg}.
     *
     * @return empty if it is no such text, or there is no header with an algorithm that Keycloak knows
     */
    Optional<JWSHeader> header(String encoded) {
        String[] parts = encoded.split("\\.", -1);
        try {
            if (parts.length != 3 || !Stream.of(parts).allMatch(AccessTokenFormat::isInItsOnlySpelling)) {
                return Optional.empty();
            }
            return Optional.ofNullable(JsonSerialization.readValue(Base64Url.decode(parts[0]), JWSHeader.class))
                    .filter(header -> header.getAlgorithm() != null
                            && session.getProvider(
                                            SignatureProvider.class,
                                            header.getAlgorithm().name())
                                    != null);
        } catch (IOException | RuntimeException e) {
            // Decoders throw unchecked exceptions, for example for "=".
            return Optional.empty();
        }
    }

    /**
     * RFC 7515 section 7.1. Keycloak's parser drops what is no base64url and what follows the signature, and bits at the end
     * of a part mean nothing. So whoever counts, blocks or caches tokens by their text would take one for many.
     */
    private static boolean isInItsOnlySpelling(String part) {
        return ENCODER.encodeToString(DECODER.decode(part)).equals(part);
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
