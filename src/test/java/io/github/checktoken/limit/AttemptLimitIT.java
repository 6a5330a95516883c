package io.github.checktoken.limit;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ClientAssertion;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Nobody from outside must be able to free or fill the slots of a person's limits. In Keycloak 26.5, anybody who knows
 * the key of a single-use object can reach it; newer versions put a prefix before the keys of their own objects.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttemptLimitIT {

    private static final List<String> LIMITS =
            List.of("email-code-sent", "email-code-reset", "email-code-linked", "pin");
    private static final String NO_MORE_CODES = "No new code was sent, because too many were asked for.";

    /** It signs Keycloak's cookies, because its priority is higher than that of the realm's own key. */
    private static final Map<String, Object> NEW_KEY = Map.of(
            "name", "new-key",
            "providerId", "hmac-generated",
            "providerType", "org.keycloak.keys.KeyProvider",
            "config", Map.of("algorithm", List.of("HS512"), "priority", List.of("200")));

    private final KeycloakServer server;
    private final EmailCodeRealm realm;
    private Person person;

    AttemptLimitIT(KeycloakServer server, EmailCodeRealm realm) {
        this.server = server;
        this.realm = realm;
        realm.settings(Map.of("maxCodesPerHour", "2"));
    }

    @BeforeEach
    void newPerson() {
        person = realm.person();
    }

    @Test
    void requestUriFreesNoSlot() {
        realm.signIn(new Browser(server), person);
        realm.signIn(new Browser(server), person);
        for (String limit : LIMITS) {
            for (int slot = 0; slot < 2; slot++) {
                new Browser(server).get(realm.authorizationUrl() + "&request_uri=" + requestUri(limit, slot));
            }
        }
        HttpResponse<String> page = realm.signIn(new Browser(server), person);
        assertShows(NO_MORE_CODES, page);
        assertEquals(2, realm.mailsTo(person).size());
    }

    @Test
    void clientAssertionFillsNoSlot() {
        for (String limit : LIMITS) {
            for (int slot = 0; slot < 2; slot++) {
                assertEquals(200, useAssertion(key(limit, slot)));
            }
        }
        assertEquals(400, useAssertion(key(LIMITS.get(0), 0)), "an assertion can be used only once");
        realm.signIn(new Browser(server), person);
        assertEquals(1, realm.mailsTo(person).size());
    }

    /** The key is kept with the cached realm, and must not outlive the realm's key. */
    @Test
    void newRealmKeyStartsTheCountAtZero() {
        realm.signIn(new Browser(server), person);
        realm.signIn(new Browser(server), person);
        assertShows(NO_MORE_CODES, realm.signIn(new Browser(server), person));
        String key = realm.admin().create("/components", NEW_KEY);
        try {
            realm.signIn(new Browser(server), person);
            assertEquals(3, realm.mailsTo(person).size());
        } finally {
            realm.admin().delete("/components/" + key);
        }
        assertShows(NO_MORE_CODES, realm.signIn(new Browser(server), person));
    }

    private int useAssertion(String jti) {
        Map<String, String> form = new HashMap<>(new ClientAssertion(realm.machine(), realm.url())
                .with("jti", jti)
                .signedBy(realm.secret()));
        form.put("grant_type", "client_credentials");
        return Http.send(Http.form(realm.url() + "/protocol/openid-connect/token", form))
                .statusCode();
    }

    private String requestUri(String limit, int slot) {
        return Http.encode("urn:ietf:params:oauth:request_uri:" + key(limit, slot));
    }

    /** @return the key in its earlier format, which anybody who knows the person can compute */
    private String key(String limit, int slot) {
        return "checktoken:" + limit + ":" + person.path().substring("/users/".length()) + ":" + slot;
    }
}
