package io.github.checktoken.login.amr;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.realm.LevelRealm.ENFORCED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Tests that the level of a flow that a client policy enforces is told only if that flow has been completed. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnforcedFlowIT {

    private final KeycloakServer server;
    private LevelRealm realm;

    EnforcedFlowIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeAll
    void enforceTheFlow() {
        realm = new LevelRealm(server);
        realm.admin()
                .put(
                        "/client-policies/profiles",
                        Map.of(
                                "profiles",
                                List.of(Map.of(
                                        "name",
                                        "high",
                                        "executors",
                                        List.of(Map.of(
                                                "executor",
                                                "auth-flow-enforcer",
                                                "configuration",
                                                Map.of("auth-flow-alias", ENFORCED, "auth-flow-loa", 2)))))));
        realm.admin()
                .put(
                        "/client-policies/policies",
                        Map.of(
                                "policies",
                                List.of(Map.of(
                                        "name",
                                        "high",
                                        "enabled",
                                        true,
                                        "conditions",
                                        List.of(Map.of("condition", "any-client", "configuration", Map.of())),
                                        "profiles",
                                        List.of("high")))));
    }

    @Test
    void enforcedFlowHasItsLevel() {
        Tokens tokens = realm.signIn(realm.browser(), realm.newPerson(), ENFORCED, realm.request(ENFORCED));
        assertEquals("high", tokens.acr());
        assertEquals("pwd pin", tokens.amr());
    }

    @Test
    void registrationDoesNotHaveTheLevelOfTheEnforcedFlow() {
        Browser browser = realm.browser();
        String name = "person-" + UUID.randomUUID();
        Tokens tokens = realm.client(ENFORCED)
                .redeem(browser.submit(
                        browser.follow(browser.get(realm.request(ENFORCED).url()), "a[href*=registration]"),
                        Map.of(
                                "username",
                                name,
                                "password",
                                "demo-password",
                                "password-confirm",
                                "demo-password",
                                "email",
                                name + "@example.org",
                                "firstName",
                                "Camille",
                                "lastName",
                                "Moreau")));
        assertNotEquals("high", tokens.acr());
        assertNotEquals("high", tokens.accessClaims().path("acr").asText());
    }
}
