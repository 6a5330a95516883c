package io.github.checktoken.amr;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.util.TokenUtil;

/** Keeps what a login asked and what the person did, once, when the login ends. */
final class LoginRecord {

    private static final String METHODS = "checktoken.amr.methods";
    private static final String RECORDED = LoginRecord.class.getName();

    private final KeycloakSession session;
    private final AuthenticationSessionModel login;

    LoginRecord(KeycloakSession session, AuthenticationSessionModel login) {
        this.session = session;
        this.login = login;
    }

    /**
     * Called when Keycloak reports the login, and earlier by the ID token of a front-channel response.
     *
     * <p>A login adds to the methods of the single sign-on session; a forced re-authentication replaces them.
     */
    AmrRequest keep(UserSessionModel userSession, AuthenticatedClientSessionModel clientSession) {
        AmrRequest recorded = session.getAttribute(RECORDED, AmrRequest.class);
        if (recorded != null) {
            return recorded;
        }
        AuthenticationMethods before = isForced() ? AuthenticationMethods.NONE : methodsOf(userSession);
        AuthenticationMethods methods = before.and(new LoginMethods(session, login, Time.currentTime()).read());
        userSession.setNote(METHODS, Notes.write(methods));

        AmrRequest request = new AmrRequest(Asked.in(login.getClientNote(OIDCLoginProtocol.CLAIMS_PARAM)), methods);
        String key = OpenRequests.key(
                login.getClientNote(OIDCLoginProtocol.NONCE_PARAM),
                login.getClientNote(OIDCLoginProtocol.CODE_CHALLENGE_PARAM));
        new OpenRequests(clientSession).open(key, request, login.getRealm().getAccessCodeLifespan());
        session.setAttribute(RECORDED, request);
        return request;
    }

    private static AuthenticationMethods methodsOf(UserSessionModel userSession) {
        return Notes.read(userSession.getNote(METHODS), AuthenticationMethods.class)
                .orElse(AuthenticationMethods.NONE);
    }

    /** A first login at a provider clears Keycloak's note of it; the request's parameters stay. */
    private boolean isForced() {
        return AuthenticatorUtil.isForcedReauthentication(login)
                || TokenUtil.hasPrompt(
                        login.getClientNote(OIDCLoginProtocol.PROMPT_PARAM), OIDCLoginProtocol.PROMPT_VALUE_LOGIN)
                || BrokeredMethods.providerAlias(login) != null
                        && login.getClientNote(OIDCLoginProtocol.MAX_AGE_PARAM) != null;
    }
}
