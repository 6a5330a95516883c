package io.github.checktoken.introspection.token;

import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.SignatureProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.encode.TokenContextEncoderProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.tracing.TracingProvider;
import org.keycloak.urls.UrlType;
import org.keycloak.util.TokenUtil;

import io.github.checktoken.keycloak.RealmIssuer;

/** What a text must be to be an access token of this realm, beside what Keycloak's verifier checks. */
record AccessTokenFormat(KeycloakSession session) {

    /** A verifiable credential's; an SD-JWT begins with a JWS of the realm (draft-ietf-oauth-sd-jwt-vc). */
    private static final String CREDENTIAL_TYPE = "vct";

    /**
     * Keycloak's verifier fails with a NullPointerException if a JWT has no header or no {@code alg}, and on 26.5 also if it
     * does not know the {@code alg}.
     *
     * @return empty if it is no JWS, or there is no header with an algorithm that Keycloak knows
     */
    Optional<SignedText> read(String encoded) {
        return SignedText.of(encoded).filter(text -> verifier(text) != null);
    }

    /**
     * What Keycloak's verifier finds, in less time. It leaves to Keycloak what an operator traces, and what another extension
     * verifies in its own way.
     *
     * @return empty says nothing about the token: Keycloak must check it
     */
    Optional<AccessToken> verified(SignedText text, KeyWrapper key) {
        boolean keycloaksOwn =
                verifier(text).getClass().getPackageName().equals(SignatureProvider.class.getPackageName());
        return keycloaksOwn
                        && !session.getProvider(TracingProvider.class)
                                .getCurrentSpan()
                                .isRecording()
                ? text.verified(key, RealmIssuer.of(session, UrlType.FRONTEND))
                : Optional.empty();
    }

    private SignatureProvider verifier(SignedText text) {
        return session.getProvider(
                SignatureProvider.class, text.header().getAlgorithm().name());
    }

    /** Whether it is no other token that the realm signs, such as an ID token or userinfo, and has the claims that checks need. */
    boolean isAccessToken(SignedText text, AccessToken token) {
        return hasRequiredClaims(token)
                && hasAccessTokenType(token)
                && !token.getOtherClaims().containsKey(CREDENTIAL_TYPE)
                && text.isInOrderOfAccessToken();
    }

    /** @return what the text says, if it has this format; nothing else is checked */
    Optional<AccessToken> accessToken(String encoded) {
        return read(encoded).flatMap(text -> text.token().filter(token -> isAccessToken(text, token)));
    }

    /** A client's setting can make it lower-case. */
    private static boolean hasAccessTokenType(AccessToken token) {
        return TokenUtil.TOKEN_TYPE_BEARER.equalsIgnoreCase(token.getType())
                || TokenUtil.TOKEN_TYPE_DPOP.equalsIgnoreCase(token.getType());
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
