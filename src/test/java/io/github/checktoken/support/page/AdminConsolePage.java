package io.github.checktoken.support.page;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.server.KeycloakServer;
import org.openqa.selenium.By;

/** The Admin Console after an administrator of one realm has signed in. */
public final class AdminConsolePage {

    private final ChromeBrowser browser;
    private final String console;

    private AdminConsolePage(ChromeBrowser browser, String console) {
        this.browser = browser;
        this.console = console;
    }

    /** @param home the realm whose user signs in */
    public static AdminConsolePage signIn(
            ChromeBrowser browser, KeycloakServer server, String home, String username, String password) {
        String console = server.baseUrl() + "/admin/" + home + "/console/#/";
        browser.open(console);
        browser.fill(By.id("username"), username);
        browser.fill(By.id("password"), password);
        browser.click(By.id("kc-login"));
        browser.find(By.cssSelector("[data-testid=options-toggle]"));
        return new AdminConsolePage(browser, console);
    }

    /** @return what the console calls the administrator: the name, or else the username */
    public String name() {
        return browser.find(By.cssSelector("[data-testid=options-toggle]")).getText();
    }

    /** @param id the id of the client in the database, which is in the console's addresses */
    public ClientPage client(String realm, String id) {
        browser.open(console + realm + "/clients/" + id + "/settings");
        return new ClientPage(browser);
    }

    /** Opens the form of a new mapper of an OpenID Connect identity provider. */
    public IdentityProviderMapperPage newIdentityProviderMapper(String realm, String alias) {
        browser.open(console + realm + "/identity-providers/oidc/" + alias + "/mappers/create");
        return new IdentityProviderMapperPage(browser);
    }

    public ProviderInfoPage providerInfo() {
        browser.open(console + "master/providers");
        return new ProviderInfoPage(browser);
    }
}
