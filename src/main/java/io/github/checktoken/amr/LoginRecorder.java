package io.github.checktoken.amr;

import java.util.Optional;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.evidence.ContinuedUserSession;
import io.github.checktoken.evidence.LoginEvidence;
import io.github.checktoken.evidence.UserSessionMethods;
import io.github.checktoken.method.AuthenticationMethods;

/** Records once, at the end of a login, whether its client requested {@code amr} and which methods the user used. */
final class LoginRecorder {

    private static final String RECORDED = LoginRecorder.class.getName();

    private final KeycloakSession session;
    private final AuthenticationSessionModel authSession;

    LoginRecorder(KeycloakSession session, AuthenticationSessionModel authSession) {
        this.session = session;
        this.authSession = authSession;
    }

    /**
     * Called when Keycloak reports the login, and earlier if a front-channel response (implicit or hybrid flow) has an
     * ID token.
     *
     * <p>A login adds to the methods and levels of the single sign-on session. A forced re-authentication replaces
     * them.
     */
    RecordedLogin record(UserSessionModel userSession, AuthenticatedClientSessionModel clientSession) {
        RecordedLogin recorded = session.getAttribute(RECORDED, RecordedLogin.class);
        if (recorded != null) {
            return recorded;
        }
        LoginEvidence evidence = LoginEvidence.of(session, authSession);
        Optional<UserSessionModel> continued =
                evidence.replacesSessionMethods() ? Optional.empty() : ContinuedUserSession.of(session, authSession);
        AuthenticationMethods methods = continued
                .map(UserSessionMethods::of)
                .orElse(AuthenticationMethods.NONE)
                .plus(evidence.methods());
        UserSessionMethods.save(userSession, methods);
        if (evidence.hasUserChanged()) {
            // Keycloak has just copied the level that the former user had reached into these sessions.
            clientSession.setNote(Constants.LEVEL_OF_AUTHENTICATION, String.valueOf(Constants.NO_LOA));
            userSession.removeNote(Constants.LOA_MAP);
        } else if (continued.isEmpty() && !authSession.getUserSessionNotes().containsKey(Constants.LOA_MAP)) {
            // This login reached no level itself and does not continue the session, so the session's levels do not
            // count.
            userSession.removeNote(Constants.LOA_MAP);
        }

        RecordedLogin login = new RecordedLogin(
                AmrClaimRequest.parse(authSession.getClientNote(OIDCLoginProtocol.CLAIMS_PARAM)), methods);
        String key = AuthorizationCodeLoginStore.key(
                authSession.getClientNote(OIDCLoginProtocol.NONCE_PARAM),
                authSession.getClientNote(OIDCLoginProtocol.CODE_CHALLENGE_PARAM));
        new AuthorizationCodeLoginStore(clientSession)
                .add(key, login, authSession.getRealm().getAccessCodeLifespan());
        session.setAttribute(RECORDED, login);
        return login;
    }
}
