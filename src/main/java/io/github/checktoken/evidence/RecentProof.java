package io.github.checktoken.evidence;

import java.util.Set;

import org.keycloak.common.util.Time;
import org.keycloak.events.Details;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.broker.BrokeredMethods;
import io.github.checktoken.method.AuthenticationMethods;

/** What a person proved here a short while ago: in the login of this request, or in the session that it belongs to. */
public final class RecentProof {

    private RecentProof() {}

    /**
     * The methods, and {@link AuthenticationMethods#MFA} for two kinds of factor. An identity provider's word does not count,
     * and no login through one: with a password alone somebody may have linked an identity of their own.
     *
     * @param seconds how long ago at most
     */
    public static Set<String> methods(KeycloakSession session, UserModel user, int seconds) {
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        AuthenticationMethods methods = authSession == null
                ? inSession(session.getContext().getUserSession(), user)
                : inLogin(session, authSession, user);
        long now = Time.currentTime();
        return methods.usedSince(now - seconds).countingAt(now).values();
    }

    private static AuthenticationMethods inSession(UserSessionModel userSession, UserModel user) {
        return userSession != null
                        && userSession.getUser().getId().equals(user.getId())
                        && userSession.getNote(Details.IDENTITY_PROVIDER) == null
                ? SessionMethods.of(userSession)
                : AuthenticationMethods.NONE;
    }

    /** With the session that the login continues, if there is one. */
    private static AuthenticationMethods inLogin(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        LoginEvidence evidence = LoginEvidence.of(session, authSession);
        UserSessionModel continued = evidence.replacesFormer()
                ? null
                : ContinuedSession.of(session, authSession).orElse(null);
        boolean own = authSession.getAuthenticatedUser() != null
                && authSession.getAuthenticatedUser().getId().equals(user.getId())
                && BrokeredMethods.providerAlias(authSession) == null;
        return inSession(continued, user).and(own ? evidence.methods() : AuthenticationMethods.NONE);
    }
}
