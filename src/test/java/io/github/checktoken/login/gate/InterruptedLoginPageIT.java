package io.github.checktoken.login.gate;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the pages of a login that does not go on, in a real browser, and that their link leads on. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterruptedLoginPageIT {

    private static final By USERNAME = By.id("username");
    private static final By MESSAGE = By.id("kc-error-message");
    private static final By LINK = By.cssSelector("#kc-error-message a[href*='/login-actions/']");
    private static final By SEND_CODE = By.id("kc-email-code-resend");

    /** Sends the form of the page as a first press of its button does, but the page stays for the second one. */
    private static final String SEND_FORM = """
            const form = document.getElementById("kc-form-login");
            fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual"});
            return true;
            """;

    /** She signs in with a code by e-mail. */
    private static final String PERSON = "nadia";

    /** The client in whose flow a username is enough to get to the end. */
    private static final String NAME_ONLY = "sp-bank";

    private static final String NAME_FORM = "auth-username-form";

    private final Federation federation;
    private final AdminApi admin;

    InterruptedLoginPageIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeAll
    void bindFlow() {
        String id = admin.create(
                "/authentication/flows", Map.of("alias", NAME_ONLY, "providerId", "basic-flow", "topLevel", true));
        String executions = "/authentication/flows/" + NAME_ONLY + "/executions";
        admin.post(executions + "/execution", Map.of("provider", NAME_FORM));
        admin.put(executions, ((ObjectNode) admin.execution(NAME_ONLY, NAME_FORM)).put("requirement", "REQUIRED"));
        bind(id);
    }

    @AfterAll
    void restore() {
        bind("");
        admin.delete("/authentication/flows/" + admin.flow(NAME_ONLY));
        admin.put("", Map.of("smtpServer", Map.of()));
    }

    @ParameterizedTest
    @CsvSource({"en,nothing in this sign-in shows who you are", "fr,rien dans cette connexion"})
    void whoHasProvedNothingBeginsAnew(String language, String words) {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.forLanguageTag(language))) {
            new SignInPage(browser)
                    .open(federation.bank().request().without("acr_values"))
                    .username("camille");
            check(browser, "login-nothing-proved", words);

            browser.submit(LINK);
            assertEquals("", browser.find(USERNAME).getDomProperty("value"));
        }
    }

    /** The server still waits for the mail server when the form is sent for the second time. */
    @ParameterizedTest
    @CsvSource({"en,still being processed", "fr,en cours de traitement"})
    void whoPressesTwiceGoesOnAfterwards(String language, String words) throws IOException {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.forLanguageTag(language))) {
            try (ServerSocket silent = silentMailServer()) {
                SignInPage page = new SignInPage(browser).open(federation.town().request());
                browser.fill(USERNAME, PERSON);
                browser.fill(By.id("password"), "demo-password");
                browser.until(chrome -> chrome.executeScript(SEND_FORM));
                try (Socket sending = silent.accept()) {
                    page.password(PERSON);
                    check(browser, "login-still-processed", words);
                    assertTrue(sending.isConnected());
                }
            }
            browser.submit(LINK);
            browser.find(SEND_CODE);
        }
    }

    /** It accepts a connection, and says nothing. */
    private ServerSocket silentMailServer() throws IOException {
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        silent.setSoTimeout(20_000);
        String address = federation.server().addressOfThisHost(silent.getLocalPort());
        int colon = address.lastIndexOf(':');
        admin.put(
                "",
                Map.of(
                        "smtpServer",
                        Map.of(
                                "host", address.substring(0, colon),
                                "port", address.substring(colon + 1),
                                "from", "no-reply@login.example.org")));
        return silent;
    }

    private void bind(String flow) {
        admin.update(
                admin.client(NAME_ONLY),
                client -> client.putObject("authenticationFlowBindingOverrides").put("browser", flow));
    }

    private static void check(ChromeBrowser browser, String name, String words) {
        String text = browser.find(MESSAGE).getText();
        assertTrue(text.contains(words), text);
        browser.screenshotInEveryLook(name);
        List<String> faults = new ArrayList<>();
        browser.inEveryLook(look -> {
            browser.axe().forEach(fault -> faults.add(look + ": " + fault));
            if (browser.overflow() != 0) {
                faults.add(look + ": " + browser.overflow() + " pixels too wide");
            }
        });
        assertEquals(List.of(), faults, name);
    }
}
