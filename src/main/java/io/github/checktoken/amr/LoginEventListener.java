package io.github.checktoken.amr;

import org.keycloak.events.Details;
import org.keycloak.events.Event;
import org.keycloak.events.EventListenerProvider;
import org.keycloak.events.admin.AdminEvent;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.util.TokenUtil;

/**
 * Keeps what a login asked and did when Keycloak reports it, and hands that on from refresh token to refresh token.
 * Whatever fails here leaves nothing to be answered later: {@code EventBuilder} swallows the exception.
 */
final class LoginEventListener implements EventListenerProvider {

    private final KeycloakSession session;

    LoginEventListener(KeycloakSession session) {
        this.session = session;
    }

    @Override
    public void onEvent(Event event) {
        switch (event.getType()) {
            case LOGIN -> onLogin(event);
            case CODE_TO_TOKEN -> onCode(event);
            case REFRESH_TOKEN -> onRefresh(event);
            default -> {
                // Nothing else begins or goes on with a login.
            }
        }
    }

    private void onLogin(Event event) {
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        AuthenticatedClientSessionModel clientSession = authSession == null ? null : clientSession(event);
        if (clientSession != null) {
            new LoginRecorder(session, authSession).record(clientSession.getUserSession(), clientSession);
        }
    }

    private void onCode(Event event) {
        RecordedLogin login = RecordedLoginResolver.resolved(session);
        String issued = event.getDetails().get(Details.REFRESH_TOKEN_ID);
        if (login != null && issued != null) {
            new RefreshTokenLoginStore(clientSession(event)).add(issued, login);
        }
    }

    private void onRefresh(Event event) {
        String redeemed = event.getDetails().get(Details.REFRESH_TOKEN_ID);
        String issued = event.getDetails().get(Details.UPDATED_REFRESH_TOKEN_ID);
        AuthenticatedClientSessionModel clientSession =
                redeemed == null || issued == null ? null : clientSession(event);
        if (clientSession != null) {
            new RefreshTokenLoginStore(clientSession).transfer(redeemed, issued);
        }
    }

    /** The offline one where the refresh token is offline. Null when the event has none. */
    private AuthenticatedClientSessionModel clientSession(Event event) {
        RealmModel realm = session.getContext().getRealm();
        ClientModel client = realm.getClientByClientId(event.getClientId());
        boolean offline = TokenUtil.TOKEN_TYPE_OFFLINE.equals(event.getDetails().get(Details.REFRESH_TOKEN_TYPE));
        UserSessionModel userSession = offline
                ? session.sessions().getOfflineUserSession(realm, event.getSessionId())
                : session.sessions().getUserSession(realm, event.getSessionId());
        return userSession == null || client == null
                ? null
                : userSession.getAuthenticatedClientSessionByClient(client.getId());
    }

    @Override
    public void onEvent(AdminEvent event, boolean includeRepresentation) {
        // No administrator's act is a login.
    }

    @Override
    public void close() {}
}
