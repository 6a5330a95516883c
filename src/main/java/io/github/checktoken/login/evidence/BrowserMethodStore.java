package io.github.checktoken.login.evidence;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;

/**
 * Stores, with a single sign-on session, the methods that each of its browsers has proved. A second browser can join a
 * session by its id, and must not manage a credential with what the first one proves.
 *
 * <p>A browser is known by the state checker in its identity cookie: a random value that Keycloak makes with the first
 * cookie, and keeps in the later ones. A direct grant has a session without a browser.
 */
public record BrowserMethodStore(UserSessionModel userSession) {

    /** Nobody has so many browsers in one session. Further ones count as having proved nothing. */
    static final int MAX_BROWSERS = 8;

    private static final String NOTE = "checktoken.amr.browser.";

    /** Keycloak's AuthenticationManager has verified the cookie, or makes the next one with this value. */
    private static final String STATE_CHECKER = "state_checker";

    /** @param replaces whether this login replaces what the browser has proved before */
    public void add(KeycloakSession session, AuthenticationMethods methods, boolean replaces) {
        String note = note(session);
        if (userSession.getNote(note) != null || browsers().size() < MAX_BROWSERS) {
            AuthenticationMethods earlier = replaces ? AuthenticationMethods.NONE : of(note);
            userSession.setNote(note, JsonNote.write(earlier.plus(methods)));
        }
    }

    AuthenticationMethods ofThisBrowser(KeycloakSession session) {
        return of(note(session));
    }

    /** For a request without cookies: none if the session has several browsers. */
    AuthenticationMethods ofTheOnlyBrowser() {
        List<String> browsers = browsers();
        return browsers.size() == 1 ? of(browsers.get(0)) : AuthenticationMethods.NONE;
    }

    private AuthenticationMethods of(String note) {
        return JsonNote.read(userSession.getNote(note), AuthenticationMethods.class)
                .orElse(AuthenticationMethods.NONE);
    }

    private List<String> browsers() {
        return userSession.getNotes().keySet().stream()
                .filter(note -> note.startsWith(NOTE))
                .toList();
    }

    private static String note(KeycloakSession session) {
        String browser = session.getAttribute(STATE_CHECKER, String.class);
        return browser == null ? NOTE : NOTE + HashUtils.sha256UrlEncodedHash(browser, StandardCharsets.UTF_8);
    }
}
