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
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.keycloak.UserEventListener;

/**
 * Records each login when Keycloak reports it, passes the record on from refresh token to refresh token, and records the
 * level of each token. Keycloak's {@code EventBuilder} swallows exceptions of a listener: if something fails here, the
 * login is not recorded, so its tokens have neither {@code amr} nor {@code acr}.
 */
record LoginEventListener(KeycloakSession session) implements UserEventListener {

    @Override
    public void onEvent(Event event) {
        if (!new LoginGuard(session).allowsToTell(session.getContext().getRealm())) {
            return;
        }
        switch (event.getType()) {
            case LOGIN -> onLogin(event);
            case LOGOUT -> LoginInProgress.of(session).sessionEnded(event);
            case CODE_TO_TOKEN -> onCodeToToken(event);
            case OAUTH2_DEVICE_CODE_TO_TOKEN -> onDeviceCodeToToken(event);
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
            RecordedLogin login =
                    new LoginRecorder(session, authSession).record(clientSession.getUserSession(), clientSession);
            // The front channel and a direct grant have their tokens already.
            bindLevel(event, clientSession, login.level());
        }
    }

    private void onCodeToToken(Event event) {
        AuthenticatedClientSessionModel clientSession = clientSession(event);
        if (clientSession != null) {
            copyLevelToOfflineSession(event, clientSession);
            LoginInProgress progress = LoginInProgress.of(session);
            String issued = event.getDetails().get(Details.REFRESH_TOKEN_ID);
            if (progress.told() != null && issued != null) {
                new RecordedLoginStore(clientSession).addRefreshToken(issued, progress.told());
            }
            if (progress.resolved() != null) {
                bindLevel(event, clientSession, progress.resolved().level());
            } else {
                AuthenticatedClientSessionModel online = clientSession(event, false);
                new RecordedLoginStore(online == null ? clientSession : online)
                        .redeemUnknownCode()
                        .ifPresent(login -> bindLevel(event, clientSession, login.level()));
            }
        }
    }

    /** Nothing tells which login approved the device. */
    private void onDeviceCodeToToken(Event event) {
        AuthenticatedClientSessionModel clientSession = clientSession(event);
        if (clientSession != null) {
            ClientSessionLevel.lowest(clientSession).ifPresent(level -> bindLevel(event, clientSession, level));
        }
    }

    private static void bindLevel(Event event, AuthenticatedClientSessionModel clientSession, Integer level) {
        ClientSessionLevel.bind(
                clientSession,
                level,
                event.getDetails().get(Details.TOKEN_ID),
                event.getDetails().get(Details.REFRESH_TOKEN_ID),
                event.getDetails().get(Details.UPDATED_REFRESH_TOKEN_ID));
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
        AuthenticatedClientSessionModel clientSession = redeemed == null ? null : clientSession(event);
        if (clientSession != null) {
            ClientSessionLevel.ofToken(clientSession, redeemed)
                    .ifPresent(level -> bindLevel(event, clientSession, level));
            if (issued != null) {
                new RecordedLoginStore(clientSession).transferRefreshToken(redeemed, issued);
            }
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
