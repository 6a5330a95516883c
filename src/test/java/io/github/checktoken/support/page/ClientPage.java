package io.github.checktoken.support.page;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;

/** A client's tabs. */
public final class ClientPage {

    private final ChromeBrowser browser;

    ClientPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    /** Keys tab: Use JWKS URL. @return what the console says after saving */
    public String useJwksUrl(String url) {
        browser.click(By.cssSelector("[data-testid=keysTab]"));
        browser.click(By.cssSelector("label:has([data-testid='attributes.use.jwks.url'])"));
        browser.fill(By.cssSelector("input[type=url]"), url);
        return Alert.after(browser, () -> browser.click(By.cssSelector("[data-testid=saveKeys]")));
    }

    /** Client scopes tab: the client's own scope, which holds its mappers. */
    public MappersPage dedicatedScope() {
        browser.click(By.cssSelector("[data-testid=clientScopesTab]"));
        browser.click(By.cssSelector("a[href$='/clientScopes/dedicated']"));
        return new MappersPage(browser);
    }
}
