package io.github.checktoken.login.broker;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * To link an identity of the demo's provider to an existing account, a person must prove the same as to sign in to that
 * account, because later logins through the provider ask for none of it.
 */
@ExtendWith(KeycloakExtension.class)
class AccountLinkingIT {

    private static final String PIN = "271828";

    private final Federation federation;
    private final AdminApi admin;
    private final AdminApi upstream;
    private final ServiceProvider town;
    private final Browser browser;
    private DemoPerson person;
    private String upstreamPerson;

    AccountLinkingIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.upstream = new AdminApi(federation.server(), federation.upstream());
        this.town = federation.town();
        this.browser = new Browser(federation.server());
    }

    @AfterEach
    void deletePersons() {
        person.close();
        upstream.delete("/users/" + upstreamPerson);
    }

    @Test
    void passwordSufficesForThoseWhoHaveNoMore() {
        create(List.of(DemoPerson.PASSWORD));
        town.redeem(givePassword());
        assertLinks(1);
    }

    @Test
    void whoHasAPinGivesIt() {
        createWithPin();

        HttpResponse<String> page = givePassword();
        assertShows("Enter your PIN", page);
        assertShows("This PIN is not right.", page = browser.submit(page, Map.of("pin", "314159")));
        assertLinks(0);
        town.redeem(browser.submit(page, Map.of("pin", PIN)));
        assertLinks(1);
    }

    /** Keycloak remembers the agreement, so a first login that begins anew does not ask for it. */
    @Test
    void whoHasAPinGivesItAlsoAfterAgreeingInAnotherBrowser() {
        createWithPin();
        JsonNode mailServer = admin.get("").get("smtpServer");
        try (MailServer mail = new MailServer(federation.server())) {
            sendMailsThrough(Http.JSON.valueToTree(mail.settings()));
            linkAccount();
            Browser other = new Browser(federation.server());
            HttpResponse<String> question =
                    other.get(mail.links(person.name() + "@example.org").get(0));
            other.follow(question, "#kc-info-message a");
            HttpResponse<String> page =
                    browser.chooseProvider(browser.get(town.request().url()), "identity-provider");
            assertShows("Enter your PIN", page);
            assertLinks(0);
            town.redeem(browser.submit(page, Map.of("pin", PIN)));
        } finally {
            sendMailsThrough(mailServer);
        }
        assertLinks(1);
    }

    @Test
    void whoHasAnAuthenticatorApplicationGivesItsCode() {
        create(List.of(DemoPerson.PASSWORD, Totp.credential()));
        HttpResponse<String> page = givePassword();
        assertShows("One-time code", page);
        assertLinks(0);
        town.redeem(browser.submit(page, Map.of("otp", Totp.code())));
        assertLinks(1);
    }

    @Test
    void whoSignsInWithACodeByEmailGivesIt() {
        create(List.of(DemoPerson.PASSWORD));
        admin.post(admin.user(person.name()) + "/role-mappings/realm", List.of(admin.get("/roles/code-by-email")));
        // Without a mail server, the password is asked for instead of a link in an e-mail.
        HttpResponse<String> form = linkAccount();
        JsonNode mailServer = admin.get("").get("smtpServer");
        try (MailServer mail = new MailServer(federation.server())) {
            sendMailsThrough(Http.JSON.valueToTree(mail.settings()));
            HttpResponse<String> page = browser.givePassword(form, person.name());
            assertLinks(0);
            String code = mail.newestCode(person.name() + "@example.org").orElseThrow();
            town.redeem(browser.submit(page, Map.of("code", code)));
        } finally {
            sendMailsThrough(mailServer);
        }
        assertLinks(1);
    }

    private void sendMailsThrough(JsonNode settings) {
        admin.update("", realm -> realm.set("smtpServer", settings));
    }

    private void createWithPin() {
        create(List.of(DemoPerson.PASSWORD), "configure-pin");
        Browser other = new Browser(federation.server());
        HttpResponse<String> choice = town.open(other, person.name(), town.request());
        town.redeem(other.submit(choice, Map.of("pin-new", PIN, "pin-confirm", PIN)));
    }

    /** Creates the person here and, with the same username, at the provider. */
    private void create(List<Map<String, String>> credentials, String... requiredActions) {
        person = new DemoPerson(admin, credentials, List.of(requiredActions));
        upstreamPerson = upstream.create(
                "/users",
                Map.of(
                        "username",
                        person.name(),
                        "email",
                        "upstream-" + person.name() + "@example.org",
                        "firstName",
                        "Claude",
                        "lastName",
                        "Martin",
                        "enabled",
                        true,
                        "credentials",
                        List.of(DemoPerson.PASSWORD)));
    }

    /** @return the response to the password of the account, at the first login through the provider */
    private HttpResponse<String> givePassword() {
        return browser.givePassword(linkAccount(), person.name());
    }

    /** @return the password form of the account */
    private HttpResponse<String> linkAccount() {
        HttpResponse<String> there =
                browser.chooseProvider(browser.get(town.request().url()), "identity-provider");
        HttpResponse<String> exists = browser.givePassword(there, person.name());
        return browser.submit(exists, Map.of("submitAction", "linkAccount"));
    }

    private void assertLinks(int expected) {
        assertEquals(
                expected,
                admin.get(admin.user(person.name()) + "/federated-identity").size());
    }
}
