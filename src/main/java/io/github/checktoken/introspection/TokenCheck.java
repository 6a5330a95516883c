package io.github.checktoken.introspection;

import java.util.List;
import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.TokenVerifier;
import org.keycloak.common.VerificationException;
import org.keycloak.crypto.SignatureProvider;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.AccessTokenIntrospectionProvider;
import org.keycloak.protocol.oidc.encode.TokenContextEncoderProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.ErrorResponseException;
import org.keycloak.util.TokenUtil;

/**
 * Keycloak's own verdict on an access token, so that a token is active here exactly when Keycloak says so, with four
 * differences: a data provider is registered, not addressed, so the audience is not asked for; what is signed by the
 * realm but is no access token (an ID token, a logout token) is refused; so is a token of an impersonated session,
 * because the person is not there; and one without a session that names a person.
 *
 * <p>Every refusal is an event with its reason, none is an exception.
 */
final class TokenCheck extends AccessTokenIntrospectionProvider<AccessToken> {

    private static final List<String> ACCESS_TOKEN_TYPES =
            List.of(TokenUtil.TOKEN_TYPE_BEARER, TokenUtil.TOKEN_TYPE_DPOP);

    private AccessToken transformed;

    TokenCheck(KeycloakSession session, EventBuilder event) {
        super(session);
        this.eventBuilder = event;
    }

    /** @return the token and its session, empty when it is not active for any reason */
    Optional<ActiveToken> check(String encoded) {
        try {
            return introspectionChecks(encoded) && verifyUserWithoutSession() && verifyNotImpersonated()
                    ? Optional.of(new ActiveToken(token, acr(), userSession))
                    : Optional.empty();
        } catch (ErrorResponseException e) {
            // Keycloak refuses a token whose organization the person has left, from within the mappers' run.
            refuse(e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    protected boolean verifyToken(String encoded) {
        return isAccessToken(encoded) ? super.verifyToken(encoded) : refuse("Not an access token");
    }

    /**
     * By its form alone; Keycloak's verifier, which comes next, takes a JWT without header or with an {@code alg} that it
     * does not know for its own error.
     */
    private boolean isAccessToken(String encoded) {
        try {
            TokenVerifier<AccessToken> parsed =
                    TokenVerifier.create(encoded, AccessToken.class).parse();
            return parsed.getHeader() != null
                    && parsed.getHeader().getAlgorithm() != null
                    && session.getProvider(
                                    SignatureProvider.class,
                                    parsed.getHeader().getAlgorithm().name())
                            != null
                    && parsed.getToken() != null
                    && isWhole(parsed.getToken())
                    && ACCESS_TOKEN_TYPES.contains(
                            String.valueOf(parsed.getToken().getType()));
        } catch (VerificationException e) {
            return false;
        }
    }

    /** Keycloak takes no {@code exp} for one that never comes, and fails without {@code iat} or a {@code jti} that it reads. */
    private boolean isWhole(AccessToken token) {
        return token.getIat() != null && token.getExp() != null && token.getExp() != 0 && isReadable(token.getId());
    }

    private boolean isReadable(String tokenId) {
        try {
            return tokenId != null
                    && session.getProvider(TokenContextEncoderProvider.class).getTokenContextFromTokenId(tokenId)
                            != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Keycloak runs the service provider's mappers here. Only two kinds of token need it: a lightweight one, for the
     * {@code acr} that it does not carry, and one of an organization, which Keycloak checks on the way. Once: Keycloak
     * 26.7 has done it among its checks, 26.5 has not.
     */
    @Override
    public AccessToken transformAccessToken(AccessToken token, UserSessionModel userSession) {
        if (transformed == null) {
            boolean needed = token.getAcr() == null || token.getOtherClaims().containsKey(OAuth2Constants.ORGANIZATION);
            transformed = needed ? super.transformAccessToken(token, userSession) : token;
        }
        return transformed;
    }

    /** And the realm's not-before, which Keycloak 26.5 leaves out. */
    @Override
    protected boolean verifyClient() {
        return super.verifyClient()
                && (token.getIat() >= realm.getNotBefore() || refuse("Issued before the realm's not-before"));
    }

    /** RFC 9701 section 4: what a resource server may learn is decided by its registration, see DataProvider. */
    @Override
    protected boolean verifyAudience() {
        return true;
    }

    /**
     * Without a session Keycloak finds the user by claims, which the service provider's mappers can set. So the token is a
     * service account's, or one for which an identity provider vouched (RFC 7523): no other person's.
     */
    private boolean verifyUserWithoutSession() {
        return token.getSessionId() != null
                || user.getServiceAccountClientLink() != null
                || OAuth2Constants.JWT_AUTHORIZATION_GRANT.equals(grantType())
                || refuse("Without a session, and not a service account");
    }

    /** From the token's id, which no mapper can set. */
    private String grantType() {
        return session.getProvider(TokenContextEncoderProvider.class)
                .getTokenContextFromTokenId(token.getId())
                .getGrantType();
    }

    private boolean verifyNotImpersonated() {
        return !ImpersonationCheck.marks(userSession) || refuse("Impersonated session");
    }

    /** None of a service account: Keycloak's mapper takes a missing level for 1, and a machine would pass for a person. */
    private String acr() {
        return user.getServiceAccountClientLink() == null
                ? transformAccessToken(token, userSession).getAcr()
                : null;
    }

    private boolean refuse(String reason) {
        eventBuilder.detail(Details.REASON, reason);
        eventBuilder.error(Errors.INVALID_TOKEN);
        return false;
    }
}
