package io.github.checktoken.login.pin;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.realm.PinRealm.MAX_FAILURES;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests guesses at a PIN in many browsers at once. Keycloak's brute force detection is off, so only the cap stops them.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinGuessesIT {

    private static final int BROWSERS = 8;

    private final KeycloakServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(16);
    private final PinRealm realm;

    PinGuessesIT(KeycloakServer server, PinRealm realm) {
        this.server = server;
        this.realm = realm;
    }

    @AfterAll
    void stop() {
        threads.shutdown();
    }

    @Test
    void parallelGuessesDoNotSlipPastTheCap() {
        String person = realm.newPersonWithPin();
        List<Callable<Boolean>> guesses = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Browser browser = realm.browser();
            HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
            guesses.add(() -> realm.give(browser, page, "508263").statusCode() == 302);
        }
        assertEquals(Collections.nCopies(guesses.size(), false), all(guesses));
        assertEquals(MAX_FAILURES, checked(person));
        assertEquals(guesses.size() - MAX_FAILURES, refused(person));
    }

    /** After the first guesses of each browser, every tenth guess is the right PIN. */
    @Test
    void thousandGuessesNeverGetIn() throws IOException {
        assertNeverGetIn(1_000);
    }

    @Test
    @Tag("long")
    void tenThousandGuessesNeverGetIn() throws IOException {
        assertNeverGetIn(10_000);
    }

    private void assertNeverGetIn(int guesses) throws IOException {
        String person = realm.newPersonWithPin();
        List<Callable<Boolean>> guessers = IntStream.range(0, BROWSERS)
                .mapToObj(i -> (Callable<Boolean>) () -> getsIn(person, guesses / BROWSERS))
                .toList();
        assertEquals(Collections.nCopies(BROWSERS, false), all(guessers));
        assertEquals(MAX_FAILURES, checked(person));
        assertEquals(guesses - MAX_FAILURES, refused(person));
        assertLogHoldsNoPin();
    }

    private boolean getsIn(String person, int guesses) {
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, person);
        for (int i = 0; i < guesses; i++) {
            String guess = i < MAX_FAILURES || i % 10 != 0 ? String.valueOf(508263 + i) : PIN;
            page = realm.give(browser, page, guess);
            if (page.statusCode() != 200) {
                return true;
            }
        }
        return false;
    }

    private void assertLogHoldsNoPin() throws IOException {
        Pattern pins = Pattern.compile("(?<![0-9a-f])(" + PIN + "|50[89][0-9]{3})(?![0-9a-f])");
        List<String> log = Files.readAllLines(server.log());
        assertTrue(
                log.stream().anyMatch(line -> line.contains("user_temporarily_disabled")),
                "the log must have the event of the cap");
        assertEquals(
                List.of(),
                log.stream().filter(line -> pins.matcher(line).find()).toList());
    }

    private int checked(String person) {
        return Collections.frequency(realm.errors("LOGIN_ERROR", person), "invalid_user_credentials");
    }

    private int refused(String person) {
        return Collections.frequency(realm.errors("LOGIN_ERROR", person), "user_temporarily_disabled");
    }

    private <T> List<T> all(List<Callable<T>> tasks) {
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> task : threads.invokeAll(tasks)) {
                results.add(task.get());
            }
            return results;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }
}
