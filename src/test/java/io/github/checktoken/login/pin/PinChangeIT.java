package io.github.checktoken.login.pin;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
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
import static io.github.checktoken.support.realm.PinRealm.PIN_NOT_ASKED_FLOW;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests how a PIN is changed. A person who has one must enter it first. Keycloak's brute force detection is off unless
 * a test switches it on.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinChangeIT {

    private static final String CHANGE = "Choose a new PIN";
    private static final String MISSING = "Enter your current PIN.";
    private static final String WRONG = "This PIN is not right.";
    private static final String TOO_MANY = "Wait 15 minutes, then try again.";
    private static final String NEW_PIN = "864209";

    private final KeycloakServer server;
    private final PinRealm realm;
    private final AdminApi admin;

    PinChangeIT(KeycloakServer server, PinRealm realm) {
        this.server = server;
        this.realm = realm;
        this.admin = realm.admin();
    }

    @Test
    void changedPinTakesThePlaceOfTheOldOne() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = changePage(browser);
        assertShows(CHANGE, page);
        assertChanged(realm.change(browser, page, PIN, NEW_PIN));
        assertEquals(1, realm.pins(person).size());
        Browser next = realm.browser();
        HttpResponse<String> again = realm.give(next, realm.givePassword(next, PIN_FLOW, person), PIN);
        assertShows(WRONG, again);
        realm.client(PIN_FLOW).redeem(realm.give(next, again, NEW_PIN));
    }

    /** Somebody who knows only the password would try this. */
    @Test
    void newPinAloneChangesNothing() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        Browser browser = signedInWithThePasswordAlone(person);
        HttpResponse<String> page = realm.request(browser, PIN_NOT_ASKED_FLOW, "&kc_action=configure-pin");
        HttpResponse<String> after = realm.choose(browser, page, NEW_PIN, NEW_PIN);
        assertShows(MISSING, after);
        assertShows(MISSING, realm.change(browser, after, " ", NEW_PIN));
        assertEquals(before, realm.pins(person));
    }

    @Test
    void wrongCurrentPinChangesNothing() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = realm.change(browser, changePage(browser), WRONG_PIN, NEW_PIN);
        assertShows(WRONG, page);
        assertEquals(before, realm.pins(person));
        assertEquals(List.of("invalid_user_credentials"), realm.errors("UPDATE_CREDENTIAL_ERROR", person));
        assertChanged(realm.change(browser, page, PIN, NEW_PIN));
    }

    @Test
    void whoMistypesTheNewPinReadsItBesideAMissingCurrentOne() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = realm.choose(browser, changePage(browser), "777777", "777777");
        assertShows(MISSING, page);
        assertShows("Choose different digits.", page);
    }

    /** Most of the realm's forms allow 3 wrong PINs, and one allows 5. The smallest number counts. */
    @Test
    void wrongCurrentPinsReachTheCapOfTheForms() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = changePage(browser);
        for (int i = 1; i < MAX_FAILURES; i++) {
            page = realm.change(browser, page, WRONG_PIN, NEW_PIN);
            assertShows(WRONG, page);
        }
        assertShows("You have one more try.", page);
        page = realm.change(browser, page, WRONG_PIN, NEW_PIN);
        assertShows(TOO_MANY, page);
        assertShows(TOO_MANY, realm.change(browser, page, PIN, NEW_PIN));
        assertEquals(before, realm.pins(person));
        assertEquals(
                List.of(
                        "invalid_user_credentials",
                        "invalid_user_credentials",
                        "invalid_user_credentials",
                        "user_temporarily_disabled"),
                realm.errors("UPDATE_CREDENTIAL_ERROR", person).stream()
                        .sorted()
                        .toList());
        assertShows(TOO_MANY, realm.givePassword(realm.browser(), PIN_FLOW, person));
    }

    @Test
    void capThatTheFormsReachedHoldsHere() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        Browser browser = realm.signedIn(person);
        realm.reachTheCap(realm.browser(), person);
        HttpResponse<String> page = changePage(browser);
        assertShows(TOO_MANY, page);
        assertShows(TOO_MANY, realm.change(browser, page, PIN, NEW_PIN));
        assertEquals(before, realm.pins(person));
    }

    @Test
    void parallelGuessesDoNotSlipPastTheCap() {
        String person = realm.newPersonWithPin();
        List<Runnable> guesses = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Browser browser = signedInWithThePasswordAlone(person);
            HttpResponse<String> page = realm.request(browser, PIN_NOT_ASKED_FLOW, "&kc_action=configure-pin");
            guesses.add(() -> realm.change(browser, page, WRONG_PIN, NEW_PIN));
        }
        guesses.stream().map(CompletableFuture::runAsync).toList().forEach(CompletableFuture::join);
        List<String> errors = realm.errors("UPDATE_CREDENTIAL_ERROR", person);
        assertEquals(MAX_FAILURES, Collections.frequency(errors, "invalid_user_credentials"));
        assertEquals(guesses.size() - MAX_FAILURES, Collections.frequency(errors, "user_temporarily_disabled"));
    }

    @Test
    void changeClearsTheCount() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = changePage(browser);
        for (int i = 1; i < MAX_FAILURES; i++) {
            page = realm.change(browser, page, WRONG_PIN, NEW_PIN);
        }
        assertChanged(realm.change(browser, page, PIN, NEW_PIN));
        Browser next = realm.browser();
        page = realm.givePassword(next, PIN_FLOW, person);
        for (int i = 1; i < MAX_FAILURES; i++) {
            page = realm.give(next, page, WRONG_PIN);
        }
        realm.client(PIN_FLOW).redeem(realm.give(next, page, NEW_PIN));
    }

    @Test
    void newPinThatIsRefusedIsNoGuess() {
        Browser browser = realm.signedIn(realm.newPersonWithPin());
        HttpResponse<String> page = changePage(browser);
        for (int i = 0; i <= MAX_FAILURES; i++) {
            page = realm.change(browser, page, WRONG_PIN, "777777");
            assertShows("Choose different digits.", page);
        }
        assertChanged(realm.change(browser, page, PIN, NEW_PIN));
    }

    @Test
    void bruteForceDetectionCountsEachWrongCurrentPin() {
        String person = realm.newPersonWithPin();
        realm.withBruteForceDetection(10, () -> {
            Browser browser = realm.signedIn(person);
            HttpResponse<String> page = changePage(browser);
            for (int guess = 1; guess <= MAX_FAILURES; guess++) {
                page = realm.change(browser, page, WRONG_PIN, NEW_PIN);
                realm.awaitFailures(person, guess);
            }
        });
    }

    @Test
    void lockOfTheBruteForceDetectionHoldsAndLooksLikeAWrongPin() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        realm.withBruteForceDetection(1, () -> {
            Browser browser = realm.signedIn(person);
            HttpResponse<String> page = changePage(browser);
            page = realm.change(browser, page, WRONG_PIN, NEW_PIN);
            realm.awaitFailures(person, 1);
            assertTrue(realm.bruteForce(person).get("disabled").asBoolean());
            assertShows(WRONG, realm.change(browser, page, PIN, NEW_PIN));
            assertEquals(before, realm.pins(person));
        });
    }

    @Test
    void holdsWhereAnAdministratorWantsAnotherPin() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        admin.update(
                admin.user(person), user -> user.putArray("requiredActions").add("configure-pin"));
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_NOT_ASKED_FLOW, person);
        assertShows(CHANGE, page);
        assertFalse(page.body().contains("kc-cancel"), "the page must not have a button to cancel");
        HttpResponse<String> after = realm.choose(browser, page, NEW_PIN, NEW_PIN);
        assertShows(MISSING, after);
        assertEquals(before, realm.pins(person));
        realm.client(PIN_NOT_ASKED_FLOW).redeem(realm.change(browser, after, PIN, NEW_PIN));
    }

    @ParameterizedTest
    @CsvSource({
        "en, Choose a PIN, Enter your current PIN., This PIN is not right.",
        "fr, Choisir un code PIN, Saisissez votre code PIN actuel., Ce code PIN est incorrect."
    })
    void holdsBehindTheLinkOfAnEMailWhichNamesIt(String language, String name, String missing, String wrong) {
        try (MailServer mailServer = new MailServer(server)) {
            admin.update("", settings -> settings.putPOJO("smtpServer", mailServer.settings()));
            String person = realm.newPersonWithPin();
            List<JsonNode> before = realm.pins(person);
            admin.update(
                    admin.user(person),
                    user -> user.withObject("/attributes").putArray("locale").add(language));
            admin.put(admin.user(person) + "/execute-actions-email", List.of("configure-pin"));
            MailServer.Mail mail = mailServer.mailsTo(person + "@example.org").get(0);
            assertTrue(mail.text().contains(name), mail.text());

            Browser browser = realm.browser();
            HttpResponse<String> proceed = browser.get(mail.link());
            assertShows(name, proceed);
            HttpResponse<String> page = browser.follow(proceed, "[href*=/login-actions/action-token]");
            page = realm.choose(browser, page, NEW_PIN, NEW_PIN);
            assertShows(missing, page);
            page = realm.change(browser, page, WRONG_PIN, NEW_PIN);
            assertShows(wrong, page);
            assertEquals(before, realm.pins(person));
            realm.change(browser, page, PIN, NEW_PIN);
            Browser next = realm.browser();
            HttpResponse<String> form = realm.givePassword(next, PIN_FLOW, person);
            realm.client(PIN_FLOW).redeem(realm.give(next, form, NEW_PIN));
            assertFalse(
                    realm.browser().get(mail.link()).body().contains("action-token"), "the link must work only once");
        }
    }

    @Test
    void administratorWhoDeletesThePinLiftsItsCap() {
        String person = realm.newPersonWithPin();
        realm.reachTheCap(realm.browser(), person);
        String pin = realm.pins(person).get(0).get("id").asText();
        admin.delete(admin.user(person) + "/credentials/" + pin);
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        realm.client(PIN_FLOW).redeem(realm.choose(browser, page, NEW_PIN, NEW_PIN));
        Browser next = realm.browser();
        HttpResponse<String> form = realm.givePassword(next, PIN_FLOW, person);
        realm.client(PIN_FLOW).redeem(realm.give(next, form, NEW_PIN));
    }

    @ParameterizedTest
    @CsvSource({"on, Sign in to your account", "off, code="})
    void changeEndsTheOtherSessionsWhereThePersonAsksForIt(String endSessions, String next) {
        String person = realm.newPersonWithPin();
        Browser other = realm.signedIn(person);
        Browser browser = realm.signedIn(person);
        Map<String, String> form =
                Map.of("pin-current", PIN, "pin-new", NEW_PIN, "pin-confirm", NEW_PIN, "logout-sessions", endSessions);
        assertChanged(browser.submit(changePage(browser), form));
        HttpResponse<String> answer = realm.request(other, PIN_FLOW, "");
        assertTrue((answer.headers().map() + answer.body()).contains(next), answer.body());
        assertTrue(
                location(realm.request(browser, PIN_FLOW, "")).contains("code="),
                "the session of the change must continue");
    }

    @Test
    void changeCanBeCancelled() {
        String person = realm.newPersonWithPin();
        List<JsonNode> before = realm.pins(person);
        Browser browser = realm.signedIn(person);
        HttpResponse<String> after = browser.submit(changePage(browser), Map.of("cancel-aia", "true"));
        assertTrue(location(after).contains("kc_action_status=cancelled"));
        assertEquals(before, realm.pins(person));
    }

    @Test
    void changeNeedsARecentLogin() {
        String config = "/authentication/required-actions/configure-pin/config";
        Browser browser = realm.signedIn(realm.newPersonWithPin());
        admin.put(config, Map.of("config", Map.of("max_auth_age", "0")));
        try {
            Waiting.untilAllIsOlderThan(0);
            assertShows("Please re-authenticate to continue", changePage(browser));
        } finally {
            admin.put(config, Map.of("config", Map.of()));
        }
    }

    private HttpResponse<String> changePage(Browser browser) {
        return realm.request(browser, PIN_FLOW, "&kc_action=configure-pin");
    }

    private Browser signedInWithThePasswordAlone(String person) {
        Browser browser = realm.browser();
        realm.client(PIN_NOT_ASKED_FLOW).redeem(realm.givePassword(browser, PIN_NOT_ASKED_FLOW, person));
        return browser;
    }

    private static void assertChanged(HttpResponse<String> response) {
        assertTrue(location(response).contains("kc_action_status=success"), response::body);
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElseThrow(() -> new AssertionError(response.body()));
    }
}
