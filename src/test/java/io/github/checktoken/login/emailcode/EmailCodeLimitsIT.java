package io.github.checktoken.login.emailcode;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests how far guesses at e-mail codes get, and what they leave in the log and in the events. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmailCodeLimitsIT {

    private static final Map<String, String> RESEND = Map.of("resend", "");
    private static final String WRONG = "This code is not right.";
    private static final String VOID = "There were too many wrong tries";
    private static final String NO_MORE_CODES = "No new code was sent, because too many were asked for.";

    private final KeycloakServer server;
    private final EmailCodeRealm realm;
    private final MailServer mailServer;
    private Person person;

    EmailCodeLimitsIT(KeycloakServer server, EmailCodeRealm realm, MailServer mailServer) {
        this.server = server;
        this.realm = realm;
        this.mailServer = mailServer;
    }

    @BeforeEach
    void newPerson() {
        realm.settings(Map.of());
        lockAfter(0);
        person = realm.person();
    }

    @Test
    void personIsSentSoManyCodesOverAllLogins() {
        realm.settings(Map.of("maxCodesPerHour", "3", "resendWait", "0"));
        Browser browser = new Browser(server);
        browser.submit(realm.signIn(browser, person), RESEND);
        Browser other = new Browser(server);
        HttpResponse<String> third = realm.signIn(other, person);
        HttpResponse<String> fourth = realm.signIn(new Browser(server), person);

        assertShows(NO_MORE_CODES, fourth);
        assertEquals(3, realm.mailsTo(person).size());
        assertEquals(List.of("slow_down"), realm.errors(person));
        assertTrue(isSignedIn(other.submit(third, Map.of("code", realm.codeOf(person)))));
    }

    @Test
    void codesOfOnePersonDoNotCountForAnother() {
        realm.settings(Map.of("maxCodesPerHour", "1"));
        realm.signIn(new Browser(server), person);
        Person other = realm.person();
        realm.signIn(new Browser(server), other);

        assertEquals(1, realm.mailsTo(other).size());
    }

    @Test
    void thousandGuessesInParallelLoginsEndAtThirty() {
        guessInParallelLogins(1_000);
    }

    @Tag("long")
    @Test
    void tenThousandGuessesInParallelLoginsEndAtThirty() {
        guessInParallelLogins(10_000);
    }

    /**
     * The brute-force protection is off, so only the number of tries for each code and the number of codes for each
     * hour stop the guesses.
     */
    private void guessInParallelLogins(int guesses) {
        realm.settings(Map.of("resendWait", "0"));
        List<Guesser> guessers = Stream.generate(Guesser::new).limit(10).toList();
        guessers.forEach(guesser -> guesser.start(person));
        List<String> codes =
                realm.mailsTo(person).stream().map(MailServer.Mail::code).toList();
        assertEquals(10, codes.size());
        List<String> wrong = IntStream.range(0, 1_000_000)
                .mapToObj(number -> "%06d".formatted(number))
                .filter(guess -> !codes.contains(guess))
                .limit(guesses)
                .toList();
        List<CompletableFuture<Void>> all = IntStream.range(0, 10)
                .mapToObj(login -> CompletableFuture.runAsync(() ->
                        guessers.get(login).guess(wrong.subList(login * guesses / 10, (login + 1) * guesses / 10))))
                .toList();
        all.forEach(CompletableFuture::join);

        assertEquals(20, guessers.stream().mapToInt(guesser -> guesser.wrong).sum());
        assertEquals(
                guesses - 20,
                guessers.stream().mapToInt(guesser -> guesser.tooLate).sum());
        // Now the right codes are rejected as well, and no further code is sent.
        for (Guesser guesser : guessers) {
            codes.forEach(code -> assertFalse(isSignedIn(guesser.enter(code))));
            assertShows(NO_MORE_CODES, guesser.resend());
        }
        assertShows(NO_MORE_CODES, realm.signIn(new Browser(server), person));
        assertEquals(10, realm.mailsTo(person).size());
    }

    @Test
    void bruteForceProtectionCountsEachWrongCodeAndLocksAsConfigured() {
        lockAfter(5);
        Guesser guesser = new Guesser();
        guesser.start(person);
        for (int failure = 1; failure <= 3; failure++) {
            guesser.enter(realm.wrongCodeFor(person));
            realm.awaitFailures(person, failure);
        }
        assertFalse(isLocked());

        Guesser again = new Guesser();
        again.start(person);
        for (int failure = 4; failure <= 5; failure++) {
            again.enter(realm.wrongCodeFor(person));
            realm.awaitFailures(person, failure);
        }
        assertTrue(isLocked());
        HttpResponse<String> locked = realm.signIn(new Browser(server), person);
        assertShows("Invalid username or password.", locked);
    }

    @Test
    void rightCodeOfALockedPersonReadsLikeAWrongOne() {
        lockAfter(1);
        Guesser guesser = new Guesser();
        guesser.start(person);
        guesser.guess(List.of(realm.wrongCodeFor(person)));
        realm.awaitFailures(person, 1);

        HttpResponse<String> page = guesser.enter(realm.codeOf(person));
        assertShows(WRONG, page);
        assertEquals("user_temporarily_disabled", realm.errors(person).get(0));
        assertShows(VOID, guesser.enter(realm.codeOf(person)));
    }

    @Test
    void hundredGuessesLockThePersonWithBruteForceProtectionOn() {
        lockAfter(20);
        realm.settings(Map.of("resendWait", "0"));
        Guesser guesser = new Guesser();
        guesser.start(person);
        for (int codes = 0; codes < 10; codes++) {
            guesser.guess(Collections.nCopies(10, realm.wrongCodeFor(person)));
            guesser.resend();
        }

        assertTrue(isLocked());
        assertTrue(realm.errors(person).contains("user_temporarily_disabled"));
        assertFalse(isSignedIn(guesser.enter(realm.codeOf(person))));
    }

    /** Such guesses can never be right, so the brute-force protection does not count them. */
    @Test
    void guessesAtACodeThatIsVoidOrExpiredLockNobody() {
        lockAfter(4);
        Guesser guesser = new Guesser();
        guesser.start(person);
        for (int failure = 1; failure <= 3; failure++) {
            guesser.enter(realm.wrongCodeFor(person));
            realm.awaitFailures(person, failure);
        }
        guesser.guess(Collections.nCopies(5, realm.wrongCodeFor(person)));

        realm.settings(Map.of("resendWait", "0", "lifespan", "1"));
        guesser.resend();
        Waiting.untilAllIsOlderThan(0);
        guesser.guess(Collections.nCopies(5, realm.wrongCodeFor(person)));

        realm.settings(Map.of("resendWait", "0"));
        guesser.resend();
        String right = realm.codeOf(person);
        assertFalse(isLocked());
        assertEquals(3, realm.failures(person));
        assertTrue(isSignedIn(guesser.enter(right)));
    }

    /** The codes have ten digits, so that no other number in the log looks like a code. */
    @Test
    void logAndEventsHoldNoCodeAndNoAddress() throws IOException {
        realm.settings(Map.of("length", "10", "resendWait", "0", "maxCodesPerHour", "4", "lifespan", "7000"));
        Guesser guesser = new Guesser();
        guesser.start(person);
        String wrong = realm.wrongCodeFor(person);
        guesser.guess(List.of(wrong, wrong, wrong));
        guesser.resend();
        realm.mailServer(mailServer.settingsOfNone());
        try {
            guesser.resend();
            guesser.resend();
        } finally {
            realm.mailServer(mailServer.settings());
        }
        guesser.resend();
        String right = realm.codeOf(person);
        assertTrue(isSignedIn(guesser.enter(right)));

        List<String> secrets = new ArrayList<>(List.of(wrong, person.address()));
        realm.mailsTo(person).forEach(mail -> secrets.add(mail.code()));
        List<String> log = Files.readAllLines(server.log());
        assertTrue(log.stream().anyMatch(line -> line.contains("lifespan must be a number")));
        // Two mails were not sent, but there is at most one line a minute.
        String realmName = realm.url().substring(realm.url().lastIndexOf('/') + 1);
        assertEquals(
                1,
                log.stream()
                        .filter(line -> line.contains("No e-mail code could be sent in realm " + realmName))
                        .count());
        assertEquals(
                List.of(),
                log.stream()
                        .filter(line -> secrets.stream().anyMatch(line::contains))
                        .toList());
        String events = realm.events(person).toString();
        assertTrue(events.contains("slow_down") && events.contains("invalid_code"), events);
        assertTrue(secrets.stream().noneMatch(events::contains), events);
    }

    /** @param failures the number of failures that lock a person, or 0 for no lock */
    private void lockAfter(int failures) {
        realm.admin()
                .update(
                        "",
                        json -> json.put("bruteForceProtected", failures > 0)
                                .put("failureFactor", Math.max(1, failures))
                                .put("quickLoginCheckMilliSeconds", 0));
    }

    private boolean isLocked() {
        return realm.attacks(person).get("disabled").asBoolean();
    }

    private static boolean isSignedIn(HttpResponse<String> answer) {
        return answer.headers().firstValue("Location").orElse("").contains("code=");
    }

    /** Somebody who knows the person's password and uses another browser. */
    private final class Guesser {

        private final Browser browser = new Browser(server);
        private HttpResponse<String> page;
        private int wrong;
        private int tooLate;

        void start(Person person) {
            page = realm.signIn(browser, person);
        }

        HttpResponse<String> enter(String code) {
            page = browser.submit(page, Map.of("code", code));
            return page;
        }

        HttpResponse<String> resend() {
            page = browser.submit(page, RESEND);
            return page;
        }

        void guess(List<String> codes) {
            for (String code : codes) {
                String answer = enter(code).body();
                if (answer.contains(WRONG)) {
                    wrong++;
                } else if (answer.contains(VOID)) {
                    tooLate++;
                }
            }
        }
    }
}
