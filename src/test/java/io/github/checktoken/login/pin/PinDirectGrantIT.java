package io.github.checktoken.login.pin;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.DIRECT_GRANT_FLOW;
import static io.github.checktoken.support.realm.PinRealm.MAX_FAILURES;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the PIN in a direct grant, in a sub-flow for people who have one. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinDirectGrantIT {

    private final KeycloakServer server;
    private final PinRealm realm;
    private final AdminApi admin;

    PinDirectGrantIT(KeycloakServer server, PinRealm realm) {
        this.server = server;
        this.realm = realm;
        this.admin = realm.admin();
    }

    @Test
    void passwordSufficesForThoseWhoHaveNoPin() {
        assertGranted(realm.directGrant(realm.newPerson(), Map.of()));
    }

    @Test
    void passwordAndPinAreGrantedAToken() {
        assertGranted(realm.directGrant(realm.newPersonWithPin(), Map.of("pin", PIN)));
    }

    @Test
    void everyRefusalReadsLikeThatOfAWrongPassword() {
        String person = realm.newPersonWithPin();
        assertRefused(realm.directGrant(person, Map.of()));
        assertRefused(realm.directGrant(person, Map.of("pin", " ")));
        for (int i = 0; i < MAX_FAILURES; i++) {
            assertRefused(realm.directGrant(person, Map.of("pin", WRONG_PIN)));
        }
        assertRefused(realm.directGrant(person, Map.of("pin", PIN)));
        List<String> errors = realm.errors("LOGIN_ERROR", person);
        assertEquals(MAX_FAILURES + 2, Collections.frequency(errors, "invalid_user_credentials"));
        assertEquals(1, Collections.frequency(errors, "user_temporarily_disabled"));
    }

    @Test
    void capIsThatOfTheForm() {
        String person = realm.newPersonWithPin();
        for (int i = 0; i < MAX_FAILURES; i++) {
            realm.directGrant(person, Map.of("pin", WRONG_PIN));
        }
        HttpResponse<String> page = realm.givePassword(realm.browser(), PIN_FLOW, person);
        assertShows("Wait 15 minutes, then try again.", page);
        String other = realm.newPersonWithPin();
        realm.reachTheCap(realm.browser(), other);
        assertRefused(realm.directGrant(other, Map.of("pin", PIN)));
    }

    @Test
    void rightPinClearsTheCount() {
        String person = realm.newPersonWithPin();
        for (int grant = 0; grant < 2; grant++) {
            for (int wrong = 1; wrong < MAX_FAILURES; wrong++) {
                realm.directGrant(person, Map.of("pin", WRONG_PIN));
            }
            assertGranted(realm.directGrant(person, Map.of("pin", PIN)));
        }
    }

    @Test
    void bruteForceDetectionCountsEachWrongPinAndItsLockHolds() {
        String person = realm.newPersonWithPin();
        realm.withBruteForceDetection(2, () -> {
            for (int guess = 1; guess <= 2; guess++) {
                realm.directGrant(person, Map.of("pin", WRONG_PIN));
                realm.awaitFailures(person, guess);
            }
            assertRefused(realm.directGrant(person, Map.of("pin", PIN)));
        });
    }

    /** Keycloak intends the same for one-time passwords, but answers 500 there. */
    @Test
    void requiredRefusesThoseWhoHaveNoPin() {
        require("REQUIRED");
        try {
            assertRefused(realm.directGrant(realm.newPerson(), Map.of()));
            assertGranted(realm.directGrant(realm.newPersonWithPin(), Map.of("pin", PIN)));
        } finally {
            require("CONDITIONAL");
        }
    }

    @Test
    void pinStandsInNoEventAndNoLog() throws IOException {
        String person = realm.newPersonWithPin();
        String wrong = "402917";
        realm.directGrant(person, Map.of("pin", wrong));
        realm.directGrant(person, Map.of("pin", PIN));
        assertFalse(admin.get("/events?max=1000").toString().contains(wrong));
        List<String> log = Files.readAllLines(server.log());
        assertTrue(
                log.stream().anyMatch(line -> line.contains("invalid_user_credentials")),
                "the log must have the wrong PIN's event");
        assertFalse(log.stream().anyMatch(line -> line.matches(".*(?<![0-9a-f])" + wrong + "(?![0-9a-f]).*")));
    }

    private void require(String requirement) {
        String executions = "/authentication/flows/" + DIRECT_GRANT_FLOW + "/executions";
        admin.get(executions).forEach(execution -> {
            if (execution.path("displayName").asText().equals(DIRECT_GRANT_FLOW + " if-set-up")) {
                admin.put(executions, ((ObjectNode) execution).put("requirement", requirement));
            }
        });
    }

    private void assertGranted(HttpResponse<String> response) {
        assertNotNull(Http.json(response).get("access_token"));
    }

    private void assertRefused(HttpResponse<String> response) {
        HttpResponse<String> wrongPassword = realm.directGrant(realm.newPerson(), Map.of("password", "wrong"));
        assertTrue(wrongPassword.body().contains("invalid_grant"), wrongPassword::body);
        assertEquals(wrongPassword.statusCode(), response.statusCode());
        assertEquals(wrongPassword.body(), response.body());
    }
}
