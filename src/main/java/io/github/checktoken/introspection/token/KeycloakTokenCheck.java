package io.github.checktoken.introspection.token;

import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.OAuthErrorException;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.AccessTokenIntrospectionProvider;
import org.keycloak.protocol.oidc.TokenManager;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;
import org.keycloak.protocol.oidc.encode.TokenContextEncoderProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.ErrorResponseException;
import org.keycloak.services.util.UserSessionUtil.UserSessionValidationResult;

import io.github.checktoken.introspection.outage.UserStoreAccess;
import io.github.checktoken.keycloak.NotBefore;

/**
 * Keycloak's own checks of an access token, with these differences: a token is read strictly ({@link AccessTokenFormat}),
 * the audience is not looked at, a store that is away is an outage, and the not-before of realm and client counts in each
 * version of Keycloak.
 */
final class KeycloakTokenCheck extends AccessTokenIntrospectionProvider<AccessToken> {

    private static final String NOT_AN_ACCESS_TOKEN = "Not an access token";

    private AccessToken transformed;

    KeycloakTokenCheck(KeycloakSession session, EventBuilder event) {
        super(session);
        this.eventBuilder = event;
    }

    /** @return false if the token is not active, and the event has the reason */
    boolean passes(String encoded) {
        try {
            return introspectionChecks(encoded);
        } catch (ErrorResponseException e) {
            // So Keycloak 26.7 rejects a token whose organization the user has left. Any other error is a mapper's.
            if (!OAuthErrorException.INVALID_GRANT.equals(e.getMessage())) {
                throw e;
            }
            return reject(e.getErrorDescription());
        }
    }

    /** The token as it was issued; null if the realm has not signed it. */
    AccessToken token() {
        return token;
    }

    /** The service provider. */
    ClientModel client() {
        return client;
    }

    UserSessionModel userSession() {
        return userSession;
    }

    UserModel user() {
        return user;
    }

    /** With what the service provider's mappers tell at introspection, if the token itself cannot have it. */
    AccessToken transformed() {
        return transformAccessToken(token, userSession);
    }

    boolean isLightweight() {
        return context().getTokenType() == TokenType.LIGHTWEIGHT;
    }

    /** Read from the token's id, which no mapper can set. */
    AccessTokenContext context() {
        return session.getProvider(TokenContextEncoderProvider.class).getTokenContextFromTokenId(token.getId());
    }

    /** @return false */
    boolean reject(String reason) {
        return reject(Errors.INVALID_TOKEN, reason);
    }

    /** @return false */
    boolean reject(String error, String reason) {
        eventBuilder.detail(Details.REASON, reason);
        eventBuilder.error(error);
        return false;
    }

    @Override
    protected boolean verifyToken(String encoded) {
        AccessTokenFormat format = new AccessTokenFormat(session);
        Optional<SignedText> text = format.read(encoded);
        if (text.isEmpty()) {
            return reject(NOT_AN_ACCESS_TOKEN);
        }
        Optional<AccessToken> verified =
                new TokenKey(session).find(text.get().header()).flatMap(key -> format.verified(text.get(), key));
        verified.ifPresent(this::accept);
        return (verified.isPresent() || super.verifyToken(encoded))
                && (format.isAccessToken(text.get(), token) || reject(NOT_AN_ACCESS_TOKEN))
                && (verified.isPresent() || text.get().token().isPresent() || reject("Has a claim twice"));
    }

    /** As Keycloak does. */
    private void accept(AccessToken verified) {
        token = verified;
        eventBuilder.detail(Details.TOKEN_ID, token.getId());
        eventBuilder.detail(Details.TOKEN_TYPE, token.getType());
    }

    @Override
    protected boolean verifyClient() {
        return super.verifyClient()
                && (NotBefore.allows(token, client)
                        || reject("Issued before the not-before of the realm or the client"));
    }

    /** Keycloak would take a person whose store is away for a disabled one. */
    @Override
    protected UserSessionValidationResult verifyUserSession() {
        UserStoreAccess stores = new UserStoreAccess(session);
        return stores.lookUp(() -> {
            UserSessionValidationResult result = super.verifyUserSession();
            if (result.getUserSession() != null) {
                eventBuilder.user(result.getUserSession().getUser());
                stores.requireReal(result.getUserSession().getUser());
            } else if (token.getSessionId() == null) {
                stores.requireReal(TokenManager.lookupUserFromStatelessToken(session, realm, token));
            }
            return result;
        });
    }

    /**
     * Keycloak runs the service provider's mappers here. Only two kinds of token need that: a lightweight token, to
     * compute the {@code acr} and the audience that it does not contain, and a token with an organization, which
     * Keycloak 26.7 checks here. The result is kept, because 26.7 calls this among its checks, too.
     */
    @Override
    public AccessToken transformAccessToken(AccessToken token, UserSessionModel userSession) {
        if (transformed == null) {
            boolean needed = token.getAcr() == null
                    || isLightweight()
                    || token.getOtherClaims().containsKey(OAuth2Constants.ORGANIZATION);
            transformed = needed
                    ? new UserStoreAccess(session)
                            .map(userSession.getUser(), () -> super.transformAccessToken(token, userSession))
                    : token;
        }
        return transformed;
    }

    /** RFC 9701 section 4: {@link AudienceCheck} follows. Keycloak 26.5 does not call this. */
    @Override
    protected boolean verifyAudience() {
        return true;
    }
}
