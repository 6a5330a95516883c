package io.github.checktoken.login.evidence;

import org.keycloak.events.Details;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;

/** Finds what a user has recently proved here, in the login or in the session to which the current request belongs. */
public final class RecentEvidence {

    private RecentEvidence() {}

    /**
     * Methods that an identity provider reported do not count, nor does a login through an identity provider: somebody who
     * has only the password may have linked an identity of their own to the account.
     *
     * @param seconds how long ago a method may have been used, at most
     */
    public static AuthenticationMethods methods(KeycloakSession session, UserModel user, int seconds) {
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        AuthenticationMethods methods = authSession == null
                ? inSession(session.getContext().getUserSession(), user)
                : inLogin(session, authSession, user);
        long now = CurrentTime.seconds();
        return methods.usedSince(now - seconds).validAt(now);
    }

    private static AuthenticationMethods inSession(UserSessionModel userSession, UserModel user) {
        return userSession != null
                        && userSession.getUser().getId().equals(user.getId())
                        && userSession.getNote(Details.IDENTITY_PROVIDER) == null
                ? UserSessionMethodStore.of(userSession)
                : AuthenticationMethods.NONE;
    }

    /** Includes the session that the login continues, if there is one. */
    private static AuthenticationMethods inLogin(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        LoginEvidence evidence = new LoginEvidence(session, authSession);
        UserSessionModel continued = evidence.continuedSession().orElse(null);
        boolean signedInHere = authSession.getAuthenticatedUser() != null
                && authSession.getAuthenticatedUser().getId().equals(user.getId())
                && IdentityProviderLogin.aliasSoFar(authSession) == null;
        return inSession(continued, user).plus(signedInHere ? evidence.methods() : AuthenticationMethods.NONE);
    }
}
