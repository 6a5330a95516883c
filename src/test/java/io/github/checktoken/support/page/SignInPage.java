package io.github.checktoken.support.page;

import java.util.Map;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.AuthorizationRequest;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.virtualauthenticator.VirtualAuthenticatorOptions;
import org.openqa.selenium.virtualauthenticator.VirtualAuthenticatorOptions.Protocol;
import org.openqa.selenium.virtualauthenticator.VirtualAuthenticatorOptions.Transport;

/** What a person does on the pages between a service provider's request and its callback. */
public final class SignInPage {

    private static final By WEBAUTHN = By.id("authenticateWebAuthnButton");

    private final ChromeBrowser browser;

    public SignInPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    public SignInPage open(AuthorizationRequest request) {
        browser.open(request.url());
        return this;
    }

    /** A device that holds passkeys and verifies its owner. */
    public SignInPage withPasskeys() {
        browser.plugIn(new VirtualAuthenticatorOptions()
                .setProtocol(Protocol.CTAP2)
                .setTransport(Transport.INTERNAL)
                .setHasResidentKey(true)
                .setHasUserVerification(true)
                .setIsUserVerified(true));
        return this;
    }

    /** A key on a chain, which tells nobody from another. */
    public SignInPage withSecurityKey() {
        browser.plugIn(new VirtualAuthenticatorOptions()
                .setProtocol(Protocol.CTAP2)
                .setTransport(Transport.USB)
                .setHasResidentKey(false)
                .setHasUserVerification(false));
        return this;
    }

    public SignInPage password(String username) {
        return password(username, "demo-password");
    }

    public SignInPage password(String username, String password) {
        browser.fill(By.id("username"), username);
        browser.fill(By.id("password"), password);
        browser.submit(By.id("kc-login"));
        return this;
    }

    /** Of somebody whose username the page knows already. */
    public SignInPage knownPassword() {
        browser.fill(By.id("password"), "demo-password");
        browser.submit(By.id("kc-login"));
        return this;
    }

    public SignInPage username(String username) {
        browser.fill(By.id("username"), username);
        browser.submit(By.id("kc-login"));
        return this;
    }

    public SignInPage securityKey() {
        browser.click(WEBAUTHN);
        return this;
    }

    public SignInPage pin(String pin) {
        browser.fill(By.id("pin"), pin);
        browser.submit(By.id("kc-login"));
        return this;
    }

    public SignInPage otherWays() {
        browser.click(By.id("try-another-way"));
        return this;
    }

    /** @param words of the way that is chosen, as the page has them */
    public SignInPage tryAnotherWay(String words) {
        otherWays();
        browser.click(By.xpath("//h2[normalize-space()='" + words + "']"));
        return this;
    }

    /** The required actions that register a passkey or a security key, and its name. */
    public SignInPage register() {
        browser.click(By.id("registerWebAuthn"));
        browser.until(driver -> {
            if (ExpectedConditions.alertIsPresent().apply(driver) == null) {
                return false;
            }
            driver.switchTo().alert().sendKeys("My key");
            driver.switchTo().alert().accept();
            return true;
        });
        return this;
    }

    /** The required action that sets a PIN. */
    public SignInPage choosePin(String pin) {
        browser.fill(By.id("pin-new"), pin);
        browser.fill(By.id("pin-confirm"), pin);
        browser.submit(By.id("kc-submit"));
        return this;
    }

    /**
     * Where the service provider is called back; nothing answers there. A passkey brings a browser here as soon as the
     * password form shows: the virtual person agrees to everything.
     */
    public String callback() {
        return browser.until(
                driver -> driver.getCurrentUrl().startsWith("http://localhost:8999/") ? driver.getCurrentUrl() : null);
    }

    public void forgetSession() {
        browser.until(driver -> {
            driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
            return true;
        });
    }
}
