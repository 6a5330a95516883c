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

    public SignInPage open(String url) {
        browser.open(url);
        return this;
    }

    public SignInPage withoutCookies() {
        browser.forgetCookies();
        return this;
    }

    /** Plugs in a device that has passkeys and verifies its owner. */
    public SignInPage withPasskeys() {
        browser.plugIn(new VirtualAuthenticatorOptions()
                .setProtocol(Protocol.CTAP2)
                .setTransport(Transport.INTERNAL)
                .setHasResidentKey(true)
                .setHasUserVerification(true)
                .setIsUserVerified(true));
        return this;
    }

    /** Plugs in a security key that does not verify who uses it. */
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

    /** Enters the password of somebody whose username the page already knows. */
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

    /** @param number of the way on the page, from 1 */
    public SignInPage otherWay(int number) {
        otherWays();
        browser.click(By.xpath("(//h2)[" + number + "]"));
        return this;
    }

    /** @param words the name of the way on the page */
    public SignInPage tryAnotherWay(String words) {
        otherWays();
        browser.click(By.xpath("//h2[normalize-space()='" + words + "']"));
        return this;
    }

    /** Completes the required action that registers a passkey or a security key, and gives it a name. */
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

    /** Completes the required action that sets a PIN. */
    public SignInPage choosePin(String pin) {
        browser.fill(By.id("pin-new"), pin);
        browser.fill(By.id("pin-confirm"), pin);
        browser.submit(By.id("kc-submit"));
        return this;
    }

    /**
     * Waits until the browser is redirected to the service provider, where nothing answers. With a passkey, this
     * happens as soon as the password form is shown, because the virtual authenticator agrees to everything.
     *
     * @return the address of the redirect
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
