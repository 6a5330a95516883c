package io.github.checktoken.introspection.token;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.TokenManager;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.util.DefaultClientSessionContext;

import io.github.checktoken.introspection.outage.UserStoreAccess;

/**
 * Checks whether a token was issued for the user of its session.
 *
 * <p>Usually {@code sub} is the user id. If it is not, it must be what the service provider's mappers give for the
 * session's user, for example a pairwise subject. A token without {@code sub} says nothing about its person.
 */
record SubjectCheck(KeycloakSession session, ClientModel serviceProvider) {

    boolean accepts(AccessToken token, UserSessionModel userSession) {
        String subject = token.getSubject();
        if (userSession.getUser().getId().equals(subject)) {
            return true;
        }
        return (subject == null || subject.equals(mappedSubject(token, userSession)))
                && (!isOffline(userSession) || isSameUserOnline(token.getSessionId(), userSession));
    }

    /**
     * Keycloak's mappers ask the client of the context whether a token is a lightweight one.
     *
     * @return what {@code sub} would be in a token that is issued now; null if no mapper sets it
     */
    private String mappedSubject(AccessToken token, UserSessionModel userSession) {
        AuthenticatedClientSessionModel clientSession =
                userSession.getAuthenticatedClientSessionByClient(serviceProvider.getId());
        if (clientSession == null) {
            return null;
        }
        ClientModel caller = session.getContext().getClient();
        session.getContext().setClient(serviceProvider);
        try {
            return new UserStoreAccess(session)
                    .map(
                            userSession.getUser(),
                            () -> new TokenManager()
                                    .transformAccessToken(
                                            session,
                                            new AccessToken(),
                                            userSession,
                                            DefaultClientSessionContext.fromClientSessionAndScopeParameter(
                                                    clientSession, token.getScope(), session))
                                    .getSubject());
        } finally {
            session.getContext().setClient(caller);
        }
    }

    /** A token of a token exchange has a transient copy of the session. */
    private static boolean isOffline(UserSessionModel userSession) {
        return userSession.isOffline()
                || Constants.CREATED_FROM_PERSISTENT_OFFLINE.equals(
                        userSession.getNote(Constants.CREATED_FROM_PERSISTENT));
    }

    /** The subject can be the same for several people, so it does not show which of the two sessions the token is of. */
    private boolean isSameUserOnline(String sessionId, UserSessionModel offline) {
        UserSessionModel online = session.sessions().getUserSession(serviceProvider.getRealm(), sessionId);
        return online == null
                || online.getUser() != null
                        && online.getUser().getId().equals(offline.getUser().getId());
    }
}
