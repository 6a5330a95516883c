package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.events.Details;
import org.keycloak.locale.LocaleSelectorProvider;
import org.keycloak.models.Constants;
import org.keycloak.models.OrganizationModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

import io.github.checktoken.login.gate.provider.FirstBrokerLogin;
import io.github.checktoken.login.gate.provider.TimeAtProvider;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * Drops from an authentication session what is about its former user.
 *
 * <p>Authentication notes cannot be listed, so the notes that may stay are named here, and all others go. Most client
 * notes stay, as in Keycloak's own reset of a flow: they are the client's request.
 */
final class FormerUserState {

    /**
     * Notes that say where the login stands, or what the browser shows. Keycloak keeps the names of those in quotes to
     * itself, or has them only from 26.7 on.
     */
    private static final List<String> STATE_NOTES = List.of(
            "active_code",
            SessionIdBinding.NOTE,
            LoginBegunAnew.NOTE,
            AuthenticationProcessor.CURRENT_FLOW_PATH,
            AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION,
            AuthenticationProcessor.LAST_PROCESSED_EXECUTION,
            AuthenticationProcessor.FORKED_FROM,
            AuthenticationProcessor.AUTHENTICATION_SELECTOR_SCREEN_DISPLAYED,
            AuthenticationProcessor.FORWARDED_PASSIVE_LOGIN,
            "fwMessageSuccess",
            "fwMessageError",
            "fwMessageInfo",
            LoginActionsService.FORWARDED_ERROR_MESSAGE_NOTE,
            LocaleSelectorProvider.USER_REQUEST_LOCALE,
            AuthenticationManager.FORCED_REAUTHENTICATION,
            AuthenticationManager.END_AFTER_REQUIRED_ACTIONS,
            AuthenticationManager.SET_REDIRECT_URI_AFTER_REQUIRED_ACTIONS,
            Details.AUTH_TYPE,
            "authorization_request_uri");

    static final List<String> KEPT_NOTES =
            Stream.concat(STATE_NOTES.stream(), ClientDemands.NOTES.stream()).toList();

    private static final List<String> NOTES_OF_NO_LOGIN = List.of(SessionIdBinding.NOTE, LoginBegunAnew.NOTE);

    private static final List<String> NOTES_OF_FIRST_LOGIN = Stream.concat(
                    NOTES_OF_NO_LOGIN.stream(), FirstBrokerLogin.NOTES_OF_REVIEW.stream())
            .toList();

    /** Client notes that say what the user did on the pages after the login. */
    private static final List<String> NOTES_OF_ACTIONS = List.of(
            Constants.KC_ACTION_EXECUTING,
            Constants.KC_ACTION_ENFORCED,
            Constants.KC_ACTION_STATUS,
            OIDCLoginProtocol.CONSENT_NOTE);

    /** Client notes that say what the user did with the client's request. */
    static final List<String> DROPPED_CLIENT_NOTES = Stream.concat(
                    Stream.of(TimeAtProvider.NOTE, OrganizationModel.ORGANIZATION_ATTRIBUTE), NOTES_OF_ACTIONS.stream())
            .toList();

    private FormerUserState() {}

    /** @param writes what this request has written for the new user, which stays */
    static void drop(AuthenticationSessionModel authSession, RequestWrites writes) {
        clearAuthNotes(authSession, KEPT_NOTES, writes.authNotes());
        Map<String, ExecutionStatus> executions = Map.copyOf(writes.executionStatus());
        authSession.clearExecutionStatus();
        executions.forEach(authSession::setExecutionStatus);
        authSession.clearUserSessionNotes();
        writes.userSessionNotes().forEach(authSession::setUserSessionNote);
        for (String action : Set.copyOf(authSession.getRequiredActions())) {
            if (!writes.requiredActions().contains(action)) {
                authSession.removeRequiredAction(action);
            }
        }
        String action = authSession.getAction();
        if (Action.REQUIRED_ACTIONS.name().equals(action)
                || Action.OAUTH_GRANT.name().equals(action)) {
            authSession.setAction(Action.AUTHENTICATE.name());
            if (!writes.authNotes().containsKey(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION)) {
                authSession.removeAuthNote(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION);
            }
        }
        DROPPED_CLIENT_NOTES.forEach(name -> dropClientNote(authSession, writes, name));
    }

    /**
     * Drops what would be told of the next login when the flow is reset. An organization stays, because Keycloak resets the
     * flow before the first login at a provider.
     *
     * @param isFirstLogin whether the first login of the same identity begins anew. Then what was typed for it stays known
     *     as typed, and the time at the provider is still its own
     */
    static void dropAtReset(AuthenticationSessionModel authSession, RequestWrites writes, boolean isFirstLogin) {
        clearAuthNotes(authSession, isFirstLogin ? NOTES_OF_FIRST_LOGIN : NOTES_OF_NO_LOGIN, Map.of());
        if (!isFirstLogin) {
            dropClientNote(authSession, writes, TimeAtProvider.NOTE);
        }
        // A restart may have copied the others to a new session, in this request.
        NOTES_OF_ACTIONS.stream()
                .filter(name -> authSession.getClientNote(name) != null)
                .forEach(authSession::removeClientNote);
    }

    private static void clearAuthNotes(
            AuthenticationSessionModel authSession, List<String> kept, Map<String, String> written) {
        Map<String, String> notes = new HashMap<>();
        for (String name : kept) {
            notes.put(name, authSession.getAuthNote(name));
        }
        notes.putAll(written);
        authSession.clearAuthNotes();
        notes.forEach((name, value) -> {
            if (value != null) {
                authSession.setAuthNote(name, value);
            }
        });
    }

    private static void dropClientNote(AuthenticationSessionModel authSession, RequestWrites writes, String name) {
        if (authSession.getClientNote(name) != null && !writes.hasWrittenClientNote(name)) {
            authSession.removeClientNote(name);
        }
    }
}
