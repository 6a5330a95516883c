package io.github.checktoken.support.page;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.server.KeycloakServer;
import org.openqa.selenium.By;

/** Keycloak's account console after a person has signed in. */
public final class AccountConsolePage {

    private static final By FIRST_NAME = By.id("firstName");
    private static final By LAST_NAME = By.id("lastName");

    private final ChromeBrowser browser;

    private AccountConsolePage(ChromeBrowser browser) {
        this.browser = browser;
    }

    public static AccountConsolePage signIn(
            ChromeBrowser browser, KeycloakServer server, String realm, String username) {
        browser.open(server.realmUrl(realm) + "/account");
        new SignInPage(browser).password(username);
        return new AccountConsolePage(browser);
    }

    /** @return the person's name, which the console has read with its token */
    public String name() {
        String first = browser.find(FIRST_NAME).getDomProperty("value");
        return first + " " + browser.find(LAST_NAME).getDomProperty("value");
    }
}
