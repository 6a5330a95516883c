package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.JWT;
import com.nimbusds.openid.connect.sdk.AuthenticationSuccessResponse;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** When another person is named in a tab, nothing that A did there counts for V. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangedPersonIT {

    private final GateRealm realm;
    private final MailServer mailServer;
    private ScriptedBrowser browser;

    ChangedPersonIT(KeycloakServer server, MailServer mailServer) {
        this.mailServer = mailServer;
        this.realm = new GateRealm(server, mailServer);
        realm.admin().update(realm.admin().client(GateRealm.LEVELS), client -> client.put("implicitFlowEnabled", true));
        String steps = "after-provider";
        realm.admin()
                .update(
                        "/identity-provider/instances/" + WalkRealm.AUTO,
                        provider -> provider.put("postBrokerLoginFlowAlias", steps));
        realm.admin().update("", settings -> settings.put("resetCredentialsFlow", "reset-with-code-and-pin"));
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
    }

    @Test
    void whoEntersCodeAndPinReplacesTheOwnPassword() {
        Person a = realm.accounts().person("a", true);
        enterCodeOfReset(a);
        browser.submit(Map.of("pin", a.pin()));
        browser.sees(Page.Kind.NEW_PASSWORD);
        browser.submit(Map.of("password-new", "new", "password-confirm", "new"));

        GateRealm.assertTold(browser, a.name(), Set.of("mail", "pin"));
    }

    /** A enters the code. V is named at the login page, and the reset goes on. */
    @Test
    void nobodyReplacesThePasswordOfSomebodyElse() {
        Person a = realm.accounts().person("a", true);
        Person v = realm.accounts().person("v", false);
        enterCodeOfReset(a);

        assertDoesNotReplacePasswordOf(v);
    }

    @Test
    void nobodyReplacesThePasswordOfSomebodyElseAfterTheOwnAccountIsDeleted() {
        Person a = realm.accounts().person("a", true);
        Person v = realm.accounts().person("v", false);
        enterCodeOfReset(a);
        realm.admin().delete(realm.admin().user(a.name()));

        assertDoesNotReplacePasswordOf(v);
    }

    /** A has passed the steps after the login at the provider. V is named, and that login goes on. */
    @Test
    void loginAtAProviderIsNotFinishedForWhoIsNamed() {
        Person a = realm.accounts().person("a", false);
        Person v = realm.accounts().person("v", false);
        Identity ofA = realm.accounts().identity(WalkRealm.AUTO, a, Set.of("pwd"));
        browser.request("federation", Map.of());
        browser.chooseProvider(WalkRealm.AUTO);
        browser.doNotFollow("/broker/after-post-broker-login");
        browser.signIn(ofA);
        browser.openLoginAction("reset-credentials");
        browser.submit(Map.of("username", "nobody"));
        browser.openLoginAction("authenticate");
        browser.tryAnotherWay(1);
        browser.submit(Map.of("username", v.name()));
        browser.openLoginAction("post-broker-login");

        realm.assertNotSignedIn(v);
    }

    /** A reaches the second level, and V signs in at the provider, which gives no level. */
    @ParameterizedTest
    @ValueSource(
            strings = {"id_token", "id_token token", "token", "code id_token", "code token", "code id_token token"})
    void frontChannelHasNoLevelOfWhoBegan(String responseType) {
        Person a = realm.accounts().person("a", true);
        Person v = realm.accounts().person("v", false);
        Identity ofV = realm.accounts().identity(v, Set.of("pwd"));
        reachSecondLevel(a, responseType);
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofV);

        for (JsonNode claims : tokens()) {
            assertEquals(v.name(), claims.path("preferred_username").asText());
            assertNotEquals("eidas2", claims.path("acr").asText());
        }
    }

    @Test
    void frontChannelHasTheLevelOfWhoReachedIt() {
        Person a = realm.accounts().person("a", true);
        reachSecondLevel(a, "id_token token");
        browser.submit(Map.of("code", mailServer.newestCode(a.address()).orElseThrow()));

        tokens().forEach(claims -> assertEquals("eidas2", claims.path("acr").asText()));
    }

    /** Stops at the step after the levels. */
    private void reachSecondLevel(Person person, String responseType) {
        browser.request(
                GateRealm.LEVELS,
                Map.of("acr_values", "eidas2", "response_type", responseType, "nonce", "nonce-of-" + person.name()));
        browser.submit(GateRealm.nameAndPassword(person));
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", person.pin()));
        browser.sees(Page.Kind.MAIL_CODE);
    }

    private void enterCodeOfReset(Person person) {
        browser.request("federation", Map.of());
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.submit(Map.of("username", person.name()));
        browser.sees(Page.Kind.MAIL_CODE);
        browser.submit(Map.of("code", mailServer.newestCode(person.address()).orElseThrow()));
        browser.sees(Page.Kind.PIN);
    }

    /** Names a person at the login page, and goes on with the reset. */
    private void assertDoesNotReplacePasswordOf(Person person) {
        browser.openLoginAction("authenticate");
        browser.tryAnotherWay(1);
        browser.submit(Map.of("username", person.name()));
        browser.openLoginAction("reset-credentials");
        if (browser.shows(Page.Kind.NEW_PASSWORD)) {
            browser.submit(Map.of("password-new", "new", "password-confirm", "new"));
        }

        realm.assertNotSignedIn(person);
        realm.assertPasswordKept(person);
    }

    /** @return the claims of the ID token and of the access token in the answer to the client, if it has them */
    private List<JsonNode> tokens() {
        AuthenticationSuccessResponse answer = ServiceProvider.answer(browser.answer());
        return Stream.of(answer.getIDToken(), answer.getAccessToken())
                .filter(Objects::nonNull)
                .map(token -> Tokens.claims(token instanceof JWT jwt ? jwt.serialize() : token.toString()))
                .toList();
    }
}
