package io.github.checktoken.evidence;

import java.util.Set;

import org.keycloak.common.util.Time;
import org.keycloak.events.Details;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.broker.BrokeredMethods;
import io.github.checktoken.method.AuthenticationMethod;
import io.github.checktoken.method.AuthenticationMethods;

/** What a person proved here a short while ago: in the login of this request, or in the session that it belongs to. */
public final class RecentProof {

    private RecentProof() {}

    /**
     * Whether the person gave the PIN, or two different kinds of factor. An identity provider's word does not count, and
     * no login through one: with a password alone somebody may have linked an identity of their own.
     *
     * @param seconds how long ago at most
     */
    public static boolean isOfPinOrTwoFactors(KeycloakSession session, UserModel user, int seconds) {
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        UserSessionModel userSession = authSession == null
                ? session.getContext().getUserSession()
                : session.sessions()
                        .getUserSession(
                                authSession.getRealm(),
                                authSession.getParentSession().getId());
        long now = Time.currentTime();
        AuthenticationMethods methods = inSession(userSession, user).and(inLogin(session, authSession, user));
        Set<String> recent = methods.usedSince(now - seconds).countingAt(now).values();
        return recent.contains(AuthenticationMethod.PIN.value()) || recent.contains(AuthenticationMethods.MFA);
    }

    private static AuthenticationMethods inSession(UserSessionModel userSession, UserModel user) {
        return userSession != null
                        && userSession.getUser().getId().equals(user.getId())
                        && userSession.getNote(Details.IDENTITY_PROVIDER) == null
                ? SessionMethods.of(userSession)
                : AuthenticationMethods.NONE;
    }

    private static AuthenticationMethods inLogin(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        return authSession != null
                        && authSession.getAuthenticatedUser() != null
                        && authSession.getAuthenticatedUser().getId().equals(user.getId())
                        && BrokeredMethods.providerAlias(authSession) == null
                ? LoginEvidence.of(session, authSession).methods()
                : AuthenticationMethods.NONE;
    }
}
