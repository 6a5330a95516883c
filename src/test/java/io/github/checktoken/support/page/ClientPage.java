package io.github.checktoken.support.page;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;

/** The tabs of a client. */
public final class ClientPage {

    private final ChromeBrowser browser;

    ClientPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    /**
     * Switches Use JWKS URL on, on the Keys tab.
     *
     * @return the message of the console after saving
     */
    public String useJwksUrl(String url) {
        browser.click(By.cssSelector("[data-testid=keysTab]"));
        browser.click(By.cssSelector("label:has([data-testid='attributes.use.jwks.url'])"));
        browser.fill(By.cssSelector("input[type=url]"), url);
        return Alert.after(browser, () -> browser.click(By.cssSelector("[data-testid=saveKeys]")));
    }

    /** Opens the client's own scope, which has its mappers, from the Client scopes tab. */
    public MappersPage dedicatedScope() {
        browser.click(By.cssSelector("[data-testid=clientScopesTab]"));
        browser.click(By.cssSelector("a[href$='/clientScopes/dedicated']"));
        return new MappersPage(browser);
    }
}
