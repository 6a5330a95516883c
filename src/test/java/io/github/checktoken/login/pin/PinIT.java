package io.github.checktoken.login.pin;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.MAX_FAILURES;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_IF_SET_UP_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_OR_PASSWORD_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests how a PIN is chosen and entered. Keycloak's brute force detection is off unless a test switches it on. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinIT {

    private static final String ENTER = "Enter your PIN";
    private static final String CHOOSE = "Choose a PIN";
    private static final String WRONG = "This PIN is not right.";
    private static final String LAST_TRY = "After another wrong PIN, no PIN is accepted for 15 minutes.";
    private static final String TOO_MANY = "Wait 15 minutes, then try again.";
    private static final String OTHER_PIN = PinRealm.WRONG_PIN;

    private final KeycloakServer server;
    private final PinRealm realm;
    private final AdminApi admin;

    PinIT(KeycloakServer server, PinRealm realm) {
        this.server = server;
        this.realm = realm;
        this.admin = realm.admin();
    }

    @Test
    void personWithoutOneChoosesItAfterThePassword() {
        String person = realm.newPerson();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        assertShows(CHOOSE, page);
        assertFalse(page.body().contains("kc-cancel"), "the page must not have a button to cancel");
        realm.client(PIN_FLOW).redeem(realm.choose(browser, page, PIN, PIN));
        assertEquals(1, realm.pins(person).size());
    }

    @Test
    void rightPinSignsIn() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        assertShows(ENTER, page);
        realm.client(PIN_FLOW).redeem(realm.give(browser, page, PIN));
    }

    @Test
    void wrongPinDoesNot() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.give(browser, realm.givePassword(browser, PIN_FLOW, person), OTHER_PIN);
        assertShows(WRONG, page);
        assertEquals(List.of("invalid_user_credentials"), realm.errors("LOGIN_ERROR", person));
    }

    @Test
    void noPinIsAskedForAgainAndCountsForNothing() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        for (int i = 0; i <= MAX_FAILURES; i++) {
            page = realm.give(browser, page, "");
            assertShows("Enter your PIN.", page);
        }
        realm.client(PIN_FLOW).redeem(realm.give(browser, page, PIN));
    }

    @Test
    void onlyThoseWhoHaveOneAreAskedInAConditionalFlow() {
        String without = realm.newPerson();
        realm.client(PIN_IF_SET_UP_FLOW).redeem(realm.givePassword(realm.browser(), PIN_IF_SET_UP_FLOW, without));
        String with = realm.newPersonWithPin();
        assertShows(ENTER, realm.givePassword(realm.browser(), PIN_IF_SET_UP_FLOW, with));
    }

    @Test
    void afterTooManyWrongPinsTheRightOneIsNotAcceptedEither() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.reachTheCap(browser, person);
        assertShows(TOO_MANY, realm.give(browser, page, PIN));
        assertEquals(
                Map.of("invalid_user_credentials", MAX_FAILURES, "user_temporarily_disabled", 1),
                counted(realm.errors("LOGIN_ERROR", person)));
    }

    @Test
    void pageTellsBeforeTheLastTryAndAfterIt() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        for (int wrong = 1; wrong < MAX_FAILURES - 1; wrong++) {
            page = realm.give(browser, page, OTHER_PIN);
            assertShows("Check the digits and try again.", page);
        }
        page = realm.give(browser, page, OTHER_PIN);
        assertShows(LAST_TRY, page);
        // Whoever has entered no wrong PIN in this login is not told of those of another one.
        assertFalse(realm.givePassword(realm.browser(), PIN_FLOW, person).body().contains(LAST_TRY));
        assertShows(TOO_MANY, realm.give(browser, page, OTHER_PIN));
    }

    @Test
    void capIsThePersonsNotTheLogins() {
        String person = realm.newPersonWithPin();
        realm.reachTheCap(realm.browser(), person);
        Browser other = realm.browser();
        HttpResponse<String> page = realm.givePassword(other, PIN_FLOW, person);
        assertShows(TOO_MANY, page);
        assertShows(TOO_MANY, realm.give(other, page, PIN));
    }

    @Test
    void capOfOnePersonIsNotThatOfAnother() {
        realm.reachTheCap(realm.browser(), realm.newPersonWithPin());
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, realm.newPersonWithPin());
        realm.client(PIN_FLOW).redeem(realm.give(browser, page, PIN));
    }

    @Test
    void rightPinClearsTheCount() {
        String person = realm.newPersonWithPin();
        for (int login = 0; login < 3; login++) {
            Browser browser = realm.browser();
            HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
            for (int wrong = 1; wrong < MAX_FAILURES; wrong++) {
                page = realm.give(browser, page, OTHER_PIN);
            }
            realm.client(PIN_FLOW).redeem(realm.give(browser, page, PIN));
        }
    }

    @Test
    void capEndsWithItsWindow() {
        String person = realm.newPersonWithPin();
        setWindow("2");
        try {
            Browser browser = realm.browser();
            HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
            for (int i = 0; i < MAX_FAILURES; i++) {
                page = realm.give(browser, page, OTHER_PIN);
            }
            Waiting.untilAllIsOlderThan(2);
            realm.client(PIN_FLOW).redeem(realm.give(browser, page, PIN));
        } finally {
            setWindow("900");
        }
    }

    /** The longest of all steps that ask for the PIN counts. */
    private void setWindow(String seconds) {
        for (JsonNode execution : List.of(
                admin.execution(PIN_FLOW, "auth-pin-form"),
                admin.execution("direct-grant-with-pin", "direct-grant-validate-pin"))) {
            String config = execution.get("authenticationConfig").asText();
            admin.update(
                    "/authentication/config/" + config,
                    cap -> cap.withObject("/config").put("failureWindow", seconds));
        }
    }

    @Test
    void capLeavesTheOtherWayOpen() {
        String person = realm.newPersonWithPin();
        realm.reachTheCap(realm.browser(), person);
        Browser browser = realm.browser();
        HttpResponse<String> first = realm.givePassword(browser, PIN_OR_PASSWORD_FLOW, person);
        HttpResponse<String> ways = tryAnotherWay(browser, first);
        assertShows("Sign in with the PIN that you chose.", ways);
        HttpResponse<String> capped = take(browser, ways, "auth-pin-form");
        assertShows(TOO_MANY, capped);
        HttpResponse<String> form = take(browser, tryAnotherWay(browser, capped), "auth-password-form");
        realm.client(PIN_OR_PASSWORD_FLOW).redeem(browser.submit(form, Map.of("password", "demo-password")));
    }

    @Test
    void bruteForceDetectionCountsEachWrongPin() {
        String person = realm.newPersonWithPin();
        realm.withBruteForceDetection(10, () -> giveWrongPins(realm.browser(), person, MAX_FAILURES));
    }

    @Test
    void lockOfTheBruteForceDetectionHoldsAndLooksLikeAWrongPin() {
        String person = realm.newPersonWithPin();
        realm.withBruteForceDetection(1, () -> {
            Browser browser = realm.browser();
            HttpResponse<String> page = giveWrongPins(browser, person, 1);
            assertTrue(realm.bruteForce(person).get("disabled").asBoolean());
            assertShows(WRONG, realm.give(browser, page, PIN));
            assertEquals(
                    Map.of("invalid_user_credentials", 1, "user_temporarily_disabled", 1),
                    counted(realm.errors("LOGIN_ERROR", person)));
        });
    }

    /** Otherwise somebody who guesses would learn of the lock, because the last try would never come. */
    @Test
    void guessesAtALockedAccountReachTheCapToo() {
        String person = realm.newPersonWithPin();
        realm.withBruteForceDetection(1, () -> {
            Browser browser = realm.browser();
            HttpResponse<String> page = giveWrongPins(browser, person, 1);
            for (int guess = 2; guess < MAX_FAILURES; guess++) {
                page = realm.give(browser, page, OTHER_PIN);
            }
            assertShows(LAST_TRY, page);
            assertShows(TOO_MANY, realm.give(browser, page, OTHER_PIN));
        });
    }

    @Test
    void personDisabledMeanwhileDoesNotGetIn() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        admin.update(admin.user(person), user -> user.put("enabled", false));
        assertShows("Account is disabled", realm.give(browser, page, PIN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|Choose a PIN and enter it here.",
                "73915a|A PIN has digits only.",
                "73915|Choose one of at least 6 digits.",
                "73915408627391540|Choose one of at most 16 digits.",
                "777777|Choose different digits.",
                "234567|Choose digits that do not follow one another.",
                "123123|Choose one without repetition.",
                "140388|This PIN comes from your date of birth"
            })
    void easyPinIsRefusedInWordsOfItsOwn(String pin, String words) {
        String person = realm.newPerson();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.choose(browser, realm.givePassword(browser, PIN_FLOW, person), pin, pin);
        assertShows(words, page);
        assertEquals(List.of("invalid_input"), realm.errors("UPDATE_CREDENTIAL_ERROR", person));
        realm.client(PIN_FLOW).redeem(realm.choose(browser, page, PIN, PIN));
    }

    @Test
    void twoDifferentPinsAreRefused() {
        String person = realm.newPerson();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        assertShows("The two PINs are different.", realm.choose(browser, page, PIN, OTHER_PIN));
        assertEquals(List.of(), realm.pins(person));
    }

    @Test
    void lengthIsASettingOfTheRequiredAction() {
        String config = "/authentication/required-actions/configure-pin/config";
        assertEquals(
                400,
                admin.send("PUT", config, Map.of("config", Map.of("length", "5")))
                        .statusCode());
        admin.put(config, Map.of("config", Map.of("length", "8")));
        try {
            Browser browser = realm.browser();
            HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, realm.newPerson());
            assertShows("8 to 16 digits", page);
            assertShows("Choose one of at least 8 digits.", realm.choose(browser, page, PIN, PIN));
        } finally {
            admin.put(config, Map.of("config", Map.of()));
        }
    }

    /** If several PINs are chosen at the same moment, Keycloak stores all of them. */
    @Test
    void changeTakesThePlaceOfAllThatWereChosenAtOnce() {
        String person = realm.newPerson();
        List<Runnable> choices = new ArrayList<>();
        for (int tab = 0; tab < 6; tab++) {
            Browser browser = realm.browser();
            HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
            choices.add(() -> realm.choose(browser, page, PIN, PIN));
        }
        choices.stream().map(CompletableFuture::runAsync).toList().forEach(CompletableFuture::join);

        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = realm.request(browser, PIN_FLOW, "&kc_action=configure-pin");
        realm.change(browser, page, PIN, OTHER_PIN);

        assertEquals(1, realm.pins(person).size());
    }

    @Test
    void isStoredHashedAsTheRealmHashesPasswords() {
        assumeTrue(server instanceof DistributionServer, "needs the server's database");
        String person = realm.newPersonWithPin();
        JsonNode data =
                Http.json(realm.pins(person).get(0).get("credentialData").asText());
        assertEquals("argon2", data.get("algorithm").asText());
        List<String> secrets = ((DistributionServer) server)
                .database()
                .values("SELECT SECRET_DATA FROM CREDENTIAL WHERE TYPE = 'pin'");
        assertFalse(secrets.isEmpty());
        assertFalse(secrets.stream().anyMatch(secret -> secret.contains(PIN)), "the PIN is readable in the database");
    }

    @Test
    void isHashedAnewOnUseAfterThePasswordPolicyChanged() {
        String person = realm.newPersonWithPin();
        JsonNode before = realm.pins(person).get(0);
        admin.update(
                "",
                settings -> settings.put("passwordPolicy", "hashAlgorithm(pbkdf2-sha512) and hashIterations(1000)"));
        try {
            Browser browser = realm.browser();
            HttpResponse<String> form = realm.givePassword(browser, PIN_FLOW, person);
            realm.client(PIN_FLOW).redeem(realm.give(browser, form, PIN));
            JsonNode after = realm.pins(person).get(0);
            JsonNode data = Http.json(after.get("credentialData").asText());
            assertEquals("pbkdf2-sha512", data.get("algorithm").asText());
            assertEquals(1000, data.get("hashIterations").asInt());
            assertEquals(before.get("id"), after.get("id"));
            assertEquals(before.get("createdDate"), after.get("createdDate"));
            assertNotEquals(before.get("credentialData"), after.get("credentialData"));
        } finally {
            admin.update("", settings -> settings.put("passwordPolicy", ""));
        }
        Browser browser = realm.browser();
        realm.client(PIN_FLOW).redeem(realm.give(browser, realm.givePassword(browser, PIN_FLOW, person), PIN));
    }

    @Test
    void loginGoesOnIfAnotherOneHashesThePinAnewAtThatMoment() {
        assumeTrue(server instanceof DistributionServer, "needs the server's database");
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> form = realm.givePassword(browser, PIN_FLOW, person);
        List<CompletableFuture<HttpResponse<String>>> login = new ArrayList<>();
        admin.update(
                "",
                settings -> settings.put("passwordPolicy", "hashAlgorithm(pbkdf2-sha512) and hashIterations(1000)"));
        try {
            ((DistributionServer) server)
                    .database()
                    .executeDuring(
                            "UPDATE CREDENTIAL SET VERSION = VERSION + 1 WHERE ID = '"
                                    + realm.pins(person).get(0).get("id").asText() + "'",
                            () -> {
                                login.add(CompletableFuture.supplyAsync(() -> realm.give(browser, form, PIN)));
                                Waiting.untilAllIsOlderThan(1);
                            });
            realm.client(PIN_FLOW).redeem(login.get(0).join());
            JsonNode data =
                    Http.json(realm.pins(person).get(0).get("credentialData").asText());
            assertEquals("argon2", data.get("algorithm").asText(), "both were stored, so they did not meet");
        } finally {
            admin.update("", settings -> settings.put("passwordPolicy", ""));
        }
    }

    private HttpResponse<String> giveWrongPins(Browser browser, String person, int guesses) {
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        for (int guess = 1; guess <= guesses; guess++) {
            page = realm.give(browser, page, OTHER_PIN);
            realm.awaitFailures(person, guess);
        }
        return page;
    }

    private static HttpResponse<String> tryAnotherWay(Browser browser, HttpResponse<String> page) {
        return browser.submit(page, Map.of("tryAnotherWay", "on"));
    }

    private HttpResponse<String> take(Browser browser, HttpResponse<String> ways, String authenticator) {
        String id =
                admin.execution(PIN_OR_PASSWORD_FLOW, authenticator).get("id").asText();
        return browser.submit(ways, Map.of("authenticationExecution", id));
    }

    private static Map<String, Integer> counted(List<String> errors) {
        return errors.stream()
                .distinct()
                .collect(Collectors.toMap(error -> error, error -> Collections.frequency(errors, error)));
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElseThrow(() -> new AssertionError(response.body()));
    }
}
