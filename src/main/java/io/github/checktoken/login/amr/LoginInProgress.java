package io.github.checktoken.login.amr;

import java.util.Optional;
import java.util.function.Supplier;

import org.keycloak.events.Details;
import org.keycloak.events.Event;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/**
 * The login on which a request works: the one that it carries on, or the one that its tokens come from. Keycloak calls
 * mappers and event listeners one by one, so what one of them leaves for the next is here, until the request ends. Only
 * what an identity provider has just sent is with {@link
 * io.github.checktoken.login.evidence.IdentityProviderReport}, because evidence does not depend on who reads it.
 */
final class LoginInProgress {

    private static final String ATTRIBUTE = LoginInProgress.class.getName();

    private final KeycloakSession session;
    private AuthenticationSessionModel beforeLogout;
    private RecordedLogin recorded;
    private ResolvedLogin resolved;
    private String grantType;
    private boolean levelTold;

    private LoginInProgress(KeycloakSession session) {
        this.session = session;
    }

    static LoginInProgress of(KeycloakSession session) {
        LoginInProgress login = session.getAttribute(ATTRIBUTE, LoginInProgress.class);
        if (login == null) {
            login = new LoginInProgress(session);
            session.setAttribute(ATTRIBUTE, login);
        }
        return login;
    }

    /**
     * For {@link LoginRecorder}: the login's record, which is made only once, for the first token in a front-channel
     * response or for the event.
     */
    RecordedLogin recordedOnce(Supplier<RecordedLogin> record) {
        if (recorded == null) {
            recorded = record.get();
        }
        return recorded;
    }

    /**
     * For {@link RecordedLoginResolver}: the login that the tokens come from. The first mapper looks it up, because a code
     * can be redeemed only once.
     */
    ResolvedLogin resolvedOnce(Supplier<ResolvedLogin> find) {
        if (resolved == null) {
            resolved = find.get();
        }
        return resolved;
    }

    /** For {@link LoginEventListener}: the login that the tokens come from; null if no mapper asked. */
    RecordedLogin resolved() {
        return resolved == null ? null : resolved.login();
    }

    /** Set by {@link RecordedLoginResolver} for {@link AmrOmission}. */
    void grantTypeIs(String type) {
        grantType = type;
    }

    /** @return the one that Keycloak noted for the first of the tokens; null in the front channel */
    String grantType() {
        return grantType;
    }

    /** Set by {@link RecordedLoginResolver} for the mapper of {@code acr}. */
    void levelIsTold() {
        levelTold = true;
    }

    /**
     * For {@link LoginEventListener}, which keeps it for the refresh token.
     *
     * @return the login that the tokens come from, with its level if one of them tells it; null if no mapper asked
     */
    RecordedLogin told() {
        if (resolved == null) {
            return null;
        }
        return levelTold ? resolved.login() : resolved.login().withoutLevel();
    }

    /**
     * The authentication session of the login that the request carries on, for {@link LoginEventListener} and {@link
     * RecordedLoginResolver}. If the same request ends other sessions of the person, Keycloak leaves the authentication
     * session of that <em>logout</em> in its context.
     *
     * @return empty if the request carries on no login, or if its authentication session is not known any more
     */
    Optional<AuthenticationSessionModel> authSession() {
        AuthenticationSessionModel current = session.getContext().getAuthenticationSession();
        return Optional.ofNullable(current == null || isLogout(current) ? beforeLogout : current);
    }

    /**
     * Called by {@link LoginEventListener} when a session has been ended. If a login did that, its authentication session
     * still exists, and the event of the logout names it: Keycloak copies its details from the event of the login.
     */
    void sessionEnded(Event logout) {
        AuthenticationSessionModel current = session.getContext().getAuthenticationSession();
        String root = logout.getDetails() == null ? null : logout.getDetails().get(Details.CODE_ID);
        if (current != null && root != null && isLogout(current)) {
            find(root, logout.getClientId()).ifPresent(login -> beforeLogout = login);
        }
    }

    private Optional<AuthenticationSessionModel> find(String rootId, String clientId) {
        RootAuthenticationSessionModel root = session.authenticationSessions()
                .getRootAuthenticationSession(session.getContext().getRealm(), rootId);
        String tab = session.getContext().getUri().getQueryParameters().getFirst(Constants.TAB_ID);
        return root == null || tab == null
                ? Optional.empty()
                : Optional.ofNullable(root.getAuthenticationSessions().get(tab))
                        .filter(login -> !isLogout(login)
                                && login.getClient().getClientId().equals(clientId));
    }

    private static boolean isLogout(AuthenticationSessionModel authSession) {
        String action = authSession.getAction();
        return Action.LOGGING_OUT.name().equals(action)
                || Action.LOGGED_OUT.name().equals(action);
    }
}
