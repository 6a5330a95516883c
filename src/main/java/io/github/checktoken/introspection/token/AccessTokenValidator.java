package io.github.checktoken.introspection.token;

import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.OAuthErrorException;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
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
import io.github.checktoken.keycloak.EndedUserSession;
import io.github.checktoken.keycloak.NotBefore;

/**
 * Checks whether an access token is active for a data provider, with Keycloak's own checks and these differences:
 *
 * <ul>
 *   <li>The data provider need not be in the audience, unless it names other ones: {@link AudienceCheck}. A token that
 *       was made from another one may be for one client alone: {@link DerivedTokenCheck}.
 *   <li>An ID token, a token without {@code iat}, {@code exp} or {@code jti}, or that has a claim twice is rejected:
 *       {@link AccessTokenFormat}.
 *   <li>A token of a session that has ended is rejected, even if Keycloak still finds it: {@link EndedUserSession}.
 *   <li>A token of an impersonated session is rejected, because somebody else acts as the user.
 *   <li>A token of another person than the session's user is rejected: {@link SubjectCheck}.
 *   <li>A token without a session is rejected, with two exceptions: {@link SessionlessUserCheck}.
 * </ul>
 */
public final class AccessTokenValidator extends AccessTokenIntrospectionProvider<AccessToken> {

    private static final String NOT_AN_ACCESS_TOKEN = "Not an access token";

    private final ClientModel caller;
    private AccessToken transformed;

    /** @param caller the data provider. The client in Keycloak's context may be another one during the check. */
    public AccessTokenValidator(KeycloakSession session, EventBuilder event, ClientModel caller) {
        super(session);
        this.eventBuilder = event;
        this.caller = caller;
    }

    /** @return the token with its acr and session; empty if it is not active, and the event has the reason */
    public Optional<ActiveToken> check(String encoded) {
        if (isActive(encoded)) {
            return Optional.of(ActiveToken.of(token, acr(), userSession, client));
        }
        RejectedToken.describe(session, token, eventBuilder);
        return Optional.empty();
    }

    private boolean isActive(String encoded) {
        try {
            return introspectionChecks(encoded)
                    && (!EndedUserSession.hasEnded(session, realm, userSession, client)
                            || reject(Errors.USER_SESSION_NOT_FOUND, "The session has ended"))
                    && verifyUser()
                    && (!ImpersonationCheck.isImpersonated(userSession) || reject("Impersonated session"))
                    && verifyMeantForCaller();
        } catch (ErrorResponseException e) {
            // So Keycloak 26.7 rejects a token whose organization the user has left. Any other error is a mapper's.
            if (!OAuthErrorException.INVALID_GRANT.equals(e.getMessage())) {
                throw e;
            }
            return reject(e.getErrorDescription());
        }
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
                && (format.isAccessToken(token) || reject(NOT_AN_ACCESS_TOKEN))
                && (verified.isPresent() || text.get().token().isPresent() || reject("Has a claim twice"));
    }

    /** As Keycloak does. */
    private void accept(AccessToken verified) {
        token = verified;
        eventBuilder.detail(Details.TOKEN_ID, token.getId());
        eventBuilder.detail(Details.TOKEN_TYPE, token.getType());
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

    @Override
    protected boolean verifyClient() {
        return super.verifyClient()
                && (NotBefore.allows(token, client)
                        || reject("Issued before the not-before of the realm or the client"));
    }

    /** RFC 9701 section 4. Keycloak 26.5 does not call this, so {@link #verifyMeantForCaller} is a check of its own. */
    @Override
    protected boolean verifyAudience() {
        return true;
    }

    /** A lightweight token need not contain the audience that the service provider's mappers give. */
    private boolean verifyMeantForCaller() {
        AudienceCheck check = new AudienceCheck(session, caller);
        boolean incomplete = isLightweight() && !check.namesDataProvider(token.getAudience());
        AccessToken addressed = incomplete ? transformAccessToken(token, userSession) : token;
        return new DerivedTokenCheck(session, caller)
                .rejection(token, origin(), client)
                .or(() -> check.rejection(addressed.getAudience()))
                .map(this::reject)
                .orElse(true);
    }

    private boolean verifyUser() {
        return token.getSessionId() == null
                ? SessionlessUserCheck.rejection(session, context(), token, user, client)
                        .map(this::reject)
                        .orElse(true)
                : new SubjectCheck(session, client).accepts(token, userSession)
                        || reject("Its subject is not the session's user");
    }

    private boolean isLightweight() {
        return context().getTokenType() == TokenType.LIGHTWEIGHT;
    }

    /** Read from the token's id, which no mapper can set. */
    private AccessTokenContext context() {
        return session.getProvider(TokenContextEncoderProvider.class).getTokenContextFromTokenId(token.getId());
    }

    private TokenOrigin origin() {
        return new TokenOrigin(
                token.getId(), context(), userSession.getAuthenticatedClientSessionByClient(client.getId()));
    }

    /**
     * The token's own claim first: what Keycloak computes for a lightweight token is the level of its last login. Null for a
     * service account: Keycloak's mapper reads a missing level as 1, as if a user had signed in.
     */
    private String acr() {
        return RecordedLevel.of(origin())
                .filter(recorded -> user.getServiceAccountClientLink() == null)
                .flatMap(recorded -> Optional.ofNullable(token.getAcr())
                        .or(() -> Optional.ofNullable(
                                transformAccessToken(token, userSession).getAcr()))
                        .flatMap(acr -> new RealmAcr(client).of(acr, recorded)))
                .orElse(null);
    }

    private boolean reject(String reason) {
        return reject(Errors.INVALID_TOKEN, reason);
    }

    private boolean reject(String error, String reason) {
        eventBuilder.detail(Details.REASON, reason);
        eventBuilder.error(error);
        return false;
    }
}
