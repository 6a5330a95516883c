package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.realm.LevelRealm.ONE_SESSION;
import static io.github.checktoken.support.realm.LevelRealm.PIN;
import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that a login which ends the person's other sessions in the same request tells what it proved. */
class LogoutInLoginIT extends AbstractLevelIT {

    private static final String NEW_PIN = "864209";

    LogoutInLoginIT(KeycloakServer server) {
        super(server);
    }

    /** The person is signed in at two other browsers. */
    @BeforeEach
    void signInElsewhere() {
        for (int other = 0; other < 2; other++) {
            realm.signIn(realm.browser(), person, STEPS, realm.request(STEPS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"code", "code id_token"})
    void updatedPasswordThatEndsOtherSessions(String responseType) {
        realm.admin()
                .update(
                        realm.admin().user(person),
                        user -> user.putPOJO("requiredActions", List.of("UPDATE_PASSWORD")));
        HttpResponse<String> page = browser.givePassword(
                browser.get(request().with("response_type", responseType).url()), person);
        assertTrue(LevelRealm.asksFor(page, "password-new"), page::body);
        assertTold(browser.submit(
                page,
                Map.of("password-new", "demo-password", "password-confirm", "demo-password", "logout-sessions", "on")));
    }

    @Test
    void newPinThatEndsOtherSessions() {
        realm.admin()
                .update(realm.admin().user(person), user -> user.putPOJO("requiredActions", List.of("configure-pin")));
        HttpResponse<String> page = browser.givePassword(browser.get(request().url()), person);
        assertTold(browser.submit(
                page, Map.of("pin-current", PIN, "pin-new", NEW_PIN, "pin-confirm", NEW_PIN, "logout-sessions", "on")));
    }

    @Test
    void limitOfSessionsThatEndsOthers() {
        Tokens tokens = realm.client(ONE_SESSION)
                .redeem(browser.givePassword(
                        browser.get(realm.request(ONE_SESSION).url()), person));
        assertTold("pwd", tokens);
        assertTold("pwd", realm.client(STEPS).redeem(browser.get(request().url())));
    }

    private AuthorizationRequest request() {
        return realm.request(STEPS);
    }

    private void assertTold(HttpResponse<String> redirect) {
        assertEquals(1, sessions());
        String location = redirect.headers().firstValue("Location").orElseThrow();
        assertTold("pwd", realm.client(STEPS).redeem(location));
        assertTold("pwd", realm.client(STEPS).redeem(browser.get(request().url())));
    }

    private int sessions() {
        return realm.admin().get(realm.admin().user(person) + "/sessions").size();
    }

    private static void assertTold(String amr, Tokens tokens) {
        assertEquals(amr, tokens.amr());
        assertEquals("low", tokens.acr());
    }
}
