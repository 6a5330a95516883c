package io.github.checktoken.introspection.token;

import java.util.List;
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

    private static final List<String> ACCESS_TOKEN_TYPES =
            List.of(TokenUtil.TOKEN_TYPE_BEARER, TokenUtil.TOKEN_TYPE_DPOP);

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
                && ACCESS_TOKEN_TYPES.contains(String.valueOf(token.getType()))
                && text.isInOrderOfAccessToken();
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
