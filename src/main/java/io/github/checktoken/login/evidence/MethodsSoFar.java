package io.github.checktoken.login.evidence;

import java.util.Set;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.keycloak.LoginGuard;

/** The methods that {@code amr} could tell if the login ended now. */
public final class MethodsSoFar {

    private MethodsSoFar() {}

    /**
     * Includes the session that the login continues: that of the cookie, if the login will be attached to it (Keycloak
     * attaches it to the one with the id of the root authentication session).
     *
     * @return none if there is no user yet, or if the realm is not guarded
     */
    public static Set<String> values(KeycloakSession session, AuthenticationSessionModel authSession) {
        UserModel user = authSession.getAuthenticatedUser();
        if (user == null || !new LoginGuard(session).allowsToTell(authSession.getRealm())) {
            return Set.of();
        }
        LoginEvidence evidence = new LoginEvidence(session, authSession);
        AuthenticationMethods earlier = evidence.continuedSession()
                .filter(continued -> user.equals(continued.getUser())
                        && continued
                                .getId()
                                .equals(authSession.getParentSession().getId()))
                .map(UserSessionMethodStore::of)
                .orElse(AuthenticationMethods.NONE);
        return MaxAge.of(authSession)
                .limit(earlier)
                .plus(evidence.methods())
                .validAt(CurrentTime.seconds())
                .values();
    }
}
