package io.github.checktoken.login.amr;

import org.keycloak.events.Details;
import org.keycloak.events.Event;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.util.TokenUtil;

import io.github.checktoken.keycloak.ClientSessionLevel;
import io.github.checktoken.keycloak.UserEventListener;

/**
 * Records each login when Keycloak reports it, and passes the record on from refresh token to refresh token. Keycloak's
 * {@code EventBuilder} swallows exceptions of a listener: if something fails here, the login is not recorded, so its
 * tokens have neither {@code amr} nor {@code acr}.
 */
record LoginEventListener(KeycloakSession session) implements UserEventListener {

    @Override
    public void onEvent(Event event) {
        switch (event.getType()) {
            case LOGIN -> onLogin(event);
            case LOGOUT -> LoginInProgress.of(session).sessionEnded(event);
            case CODE_TO_TOKEN -> onCodeToToken(event);
            case REFRESH_TOKEN -> onRefreshToken(event);
            default -> {
                // Other events neither start a login nor issue a refresh token for one.
            }
        }
    }

    private void onLogin(Event event) {
        AuthenticationSessionModel authSession =
                LoginInProgress.of(session).authSession().orElse(null);
        AuthenticatedClientSessionModel clientSession = authSession == null ? null : clientSession(event);
        if (clientSession != null) {
            new LoginRecorder(session, authSession).record(clientSession.getUserSession(), clientSession);
        }
    }

    private void onCodeToToken(Event event) {
        RecordedLogin login = LoginInProgress.of(session).told();
        String issued = event.getDetails().get(Details.REFRESH_TOKEN_ID);
        AuthenticatedClientSessionModel clientSession = login == null || issued == null ? null : clientSession(event);
        if (clientSession != null) {
            new RecordedLoginStore(clientSession).addRefreshToken(issued, login);
            copyLevelToOfflineSession(event, clientSession);
        }
    }

    private void copyLevelToOfflineSession(Event event, AuthenticatedClientSessionModel clientSession) {
        UserSessionModel offline = clientSession.getUserSession();
        AuthenticatedClientSessionModel online = clientSession(event, false);
        if (offline.isOffline()
                && online != null
                && online.getUserSession().getUser().equals(offline.getUser())) {
            ClientSessionLevel.copy(online, clientSession);
        }
    }

    private void onRefreshToken(Event event) {
        String redeemed = event.getDetails().get(Details.REFRESH_TOKEN_ID);
        String issued = event.getDetails().get(Details.UPDATED_REFRESH_TOKEN_ID);
        AuthenticatedClientSessionModel clientSession =
                redeemed == null || issued == null ? null : clientSession(event);
        if (clientSession != null) {
            new RecordedLoginStore(clientSession).transferRefreshToken(redeemed, issued);
        }
    }

    /**
     * @return the offline client session if the refresh token is an offline token; null if there is no client session
     */
    private AuthenticatedClientSessionModel clientSession(Event event) {
        return clientSession(
                event, TokenUtil.TOKEN_TYPE_OFFLINE.equals(event.getDetails().get(Details.REFRESH_TOKEN_TYPE)));
    }

    private AuthenticatedClientSessionModel clientSession(Event event, boolean offline) {
        RealmModel realm = session.getContext().getRealm();
        ClientModel client = realm.getClientByClientId(event.getClientId());
        UserSessionModel userSession = offline
                ? session.sessions().getOfflineUserSession(realm, event.getSessionId())
                : session.sessions().getUserSession(realm, event.getSessionId());
        return userSession == null || client == null
                ? null
                : userSession.getAuthenticatedClientSessionByClient(client.getId());
    }
}
