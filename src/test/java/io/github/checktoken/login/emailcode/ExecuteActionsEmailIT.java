package io.github.checktoken.login.emailcode;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the e-mail with which an administrator asks a person to choose a PIN. Keycloak has no text for the name of a
 * required action that an extension adds.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExecuteActionsEmailIT {

    private final KeycloakServer server;
    private final EmailCodeRealm realm;

    ExecuteActionsEmailIT(KeycloakServer server, EmailCodeRealm realm) {
        this.server = server;
        this.realm = realm;
        realm.admin()
                .post(
                        "/authentication/register-required-action",
                        Map.of("providerId", "configure-pin", "name", "Configure PIN"));
    }

    @ParameterizedTest
    @CsvSource({"en,Choose a PIN", "fr,Choisir un code PIN"})
    void mailAndThePageBehindItsLinkNameThePin(String language, String name) {
        Person person = realm.person();
        realm.admin()
                .update(
                        person.path(),
                        user -> user.putObject("attributes").putArray("locale").add(language));
        realm.admin().put(person.path() + "/execute-actions-email", List.of("configure-pin"));

        MailServer.Mail mail = realm.mailsTo(person).get(0);
        assertNames(name, mail.text());
        assertNames(name, mail.html());
        HttpResponse<String> page = new Browser(server).get(mail.link());
        assertNames(name, page.body());
    }

    private static void assertNames(String name, String text) {
        assertTrue(text.contains(name), text);
        assertFalse(text.contains("requiredAction."), text);
    }
}
