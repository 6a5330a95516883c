package io.github.checktoken.bench.load;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakServer;

/** A person who stays signed in, and whose service provider gets new tokens again and again. */
final class LastingSession {

    /** How many times the tokens are refreshed before the person comes back with the browser, in the same session. */
    private static final int REFRESHES = 9;

    private final Browser browser;
    private final ServiceProvider serviceProvider;
    private final String person;
    private final String session;
    private volatile Tokens tokens;
    private int refreshes;

    LastingSession(KeycloakServer keycloak, ServiceProvider serviceProvider, String person) {
        this.browser = new Browser(keycloak);
        this.serviceProvider = serviceProvider;
        this.person = person;
        this.tokens = signIn();
        this.session = session(tokens);
    }

    String accessToken() {
        return tokens.accessToken();
    }

    /** Gets new tokens, with the refresh token or with single sign-on. */
    void renew() {
        boolean signsOn = refreshes == REFRESHES;
        Tokens renewed = signsOn ? signIn() : serviceProvider.refresh(tokens);
        refreshes = signsOn ? 0 : refreshes + 1;
        SessionLoad.mustHaveAmr(renewed);
        if (!session(renewed).equals(session)) {
            throw new AssertionError("The new tokens are of another session");
        }
        tokens = renewed;
    }

    private Tokens signIn() {
        return serviceProvider.signIn(browser, person, SessionLoad.request(serviceProvider));
    }

    private static String session(Tokens tokens) {
        return Tokens.claims(tokens.idToken()).get("sid").asText();
    }
}
