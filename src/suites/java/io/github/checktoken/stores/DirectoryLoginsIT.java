package io.github.checktoken.stores;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** People of an LDAP directory sign in with its password, and with the steps of this project. */
@Tag("stores")
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectoryLoginsIT {

    private static final String OTHER_PIN = WRONG_PIN;

    private final Federation federation;
    private final MailServer mails;
    private final DirectoryServer directory = new DirectoryServer(List.of());

    DirectoryLoginsIT(Federation federation, MailServer mails) throws IOException {
        this.federation = federation;
        this.mails = mails;
        federation.letPeopleSignInAgainAtOnce();
        federation.admin().update("", realm -> realm.set("smtpServer", Http.JSON.valueToTree(mails.settings())));
    }

    @AfterAll
    void stop() {
        federation.admin().put("", Map.of("smtpServer", Map.of()));
        directory.close();
    }

    @ParameterizedTest
    @EnumSource
    void passwordOfTheDirectorySignsIn(DirectoryMode mode) {
        try (LdapProvider provider = provider(mode, Map.of())) {
            DirectoryPerson person = newPerson();
            Tokens tokens = person.signIn();
            assertEquals("fc pwd", tokens.amr());
            Map<String, Object> answer =
                    federation.tax().check(tokens.accessToken()).introspection();
            assertEquals("Moreau", answer.get("family_name"));
            assertEquals("Camille", answer.get("given_name"));
            assertEquals(answer.get("sub"), DirectoryPerson.subject(federation.tax(), person.signIn()));
            assertNotEquals(answer.get("sub"), DirectoryPerson.subject(federation.health(), tokens));
        }
    }

    @ParameterizedTest
    @EnumSource
    void codeGoesToTheAddressInTheDirectoryIfItIsTrusted(DirectoryMode mode) {
        try (LdapProvider provider = provider(mode, Map.of("trustEmail", "true"))) {
            provider.giveRole("code-by-email");
            String name = newName();
            DirectoryPerson person = new DirectoryPerson(federation, name);
            HttpResponse<String> page = person.givePassword();
            String code = mails.newestCode(name + "@example.org").orElseThrow();
            // The mailbox may have the same password, so this is no second factor.
            assertEquals(
                    "fc pwd mail",
                    person.redeem(person.submit(page, "code", code)).amr());
        }
    }

    /** With import, what counts is the setting at the import, or what an administrator sets afterwards. */
    @ParameterizedTest
    @EnumSource
    void addressThatIsNotTrustedGetsNoCode(DirectoryMode mode) {
        try (LdapProvider provider = provider(mode, Map.of("trustEmail", "false"))) {
            provider.giveRole("code-by-email");
            String name = newName();
            DirectoryPerson person = new DirectoryPerson(federation, name);
            assertShows("your account has no verified e-mail address", person.givePassword());
            provider.set("trustEmail", "true");
            person.givePassword();
            assertEquals(mode.imports() ? 0 : 1, mails.count(name + "@example.org"));
            if (mode.imports()) {
                AdminApi admin = federation.admin();
                admin.update(admin.user(name), user -> user.put("emailVerified", true));
                person.givePassword();
                assertEquals(1, mails.count(name + "@example.org"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void pinIsChosenUsedAndChanged(DirectoryMode mode) {
        try (LdapProvider provider = provider(mode, Map.of())) {
            DirectoryPerson person = newPerson();
            assertEquals("fc pwd", person.choosePin(PIN).amr());
            assertEquals("fc pwd pin", person.signInWithPin(PIN).amr());
            person.changePin(PIN, OTHER_PIN);
            assertShows("This PIN is not right.", person.givePin(PIN));
            assertEquals("fc pwd pin", person.signInWithPin(OTHER_PIN).amr());
        }
    }

    @ParameterizedTest
    @EnumSource
    void loginWhileTheDirectoryIsAwayEndsWithAPage(DirectoryMode mode) throws IOException {
        try (LdapProvider provider = provider(mode, Map.of())) {
            DirectoryPerson person = newPerson();
            person.choosePin(PIN);
            HttpResponse<String> pinPage = person.givePassword();
            directory.stop();
            try {
                assertIsNoLogin(person.submit(pinPage, "pin", PIN));
                assertIsNoLogin(person.givePassword());
            } finally {
                directory.start();
            }
            assertEquals("fc pwd pin", person.signInWithPin(PIN).amr());
        }
    }

    /** Keycloak caches nobody in the other tests. */
    @ParameterizedTest
    @EnumSource
    void personWhomKeycloakHasCachedIsAnsweredWhileTheDirectoryIsAway(DirectoryMode mode) throws IOException {
        try (LdapProvider provider = provider(mode, Map.of("cachePolicy", "DEFAULT"))) {
            Tokens tokens = newPerson().signIn();
            Answer before = federation.tax().check(tokens.accessToken());
            directory.stop();
            try {
                assertEquals(
                        before.introspection(),
                        federation.tax().check(tokens.accessToken()).introspection());
            } finally {
                directory.start();
            }
        }
    }

    /** The person sees a page, and nothing of the server's internals. */
    private static void assertIsNoLogin(HttpResponse<String> response) {
        assertTrue(List.of(200, 400, 500).contains(response.statusCode()));
        assertHas("#kc-page-title", response);
        assertFalse(response.body().contains("Exception"), response::body);
        assertFalse(response.body().contains("org.keycloak"), response::body);
    }

    private LdapProvider provider(DirectoryMode mode, Map<String, String> settings) {
        return mode.of(directory, federation.admin(), settings);
    }

    private DirectoryPerson newPerson() {
        return new DirectoryPerson(federation, newName());
    }

    private String newName() {
        String name = "person-" + UUID.randomUUID();
        directory.add(name, "Moreau");
        return name;
    }
}
