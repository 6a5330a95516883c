package io.github.checktoken.cluster;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.SourceAddressClient;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.MAX_FAILURES;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** E-mail codes, PINs and secrets work at both nodes, and guesses at them are counted for both nodes together. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedLimitsIT {

    private static final int WRONG_SECRETS = 30;
    private static final String WRONG = "This code is not right.";
    private static final String VOID = "There were too many wrong tries";
    private static final int PARALLEL_GUESSES = 16;

    private final Cluster cluster;
    private MailServer mailServer;
    private EmailCodeRealm codes;
    private PinRealm pins;

    SharedLimitsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void createRealms() {
        mailServer = new MailServer(cluster.entrance());
        codes = new EmailCodeRealm(cluster.entrance(), mailServer);
        codes.settings(Map.of("resendWait", "0", "maxCodesPerHour", "3"));
        pins = new PinRealm(cluster.entrance());
    }

    @AfterAll
    void closeAll() {
        codes.close();
        mailServer.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void codeSentByOneNodeSignsInAtTheOtherAndOnlyOnce(int one, int other) {
        Person person = codes.person();
        AtomicInteger node = new AtomicInteger(one);
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> page = codes.signIn(browser, person);
        String code = codes.codeOf(person);

        node.set(other);
        assertTrue(isSignedIn(browser.submit(page, Map.of("code", code))));
        node.set(one);
        assertFalse(isSignedIn(browser.submit(page, Map.of("code", code))));
        assertFalse(isSignedIn(browser.submit(codes.signIn(cluster.browser(node::get), person), Map.of("code", code))));
    }

    @Test
    void wrongCodesAtBothNodesVoidTheCode() {
        Person person = codes.person();
        AtomicInteger node = new AtomicInteger();
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> page = codes.signIn(browser, person);
        for (String message : List.of(WRONG, WRONG, VOID)) {
            page = browser.submit(page, Map.of("code", codes.wrongCodeFor(person)));
            assertShows(message, page);
            node.set(1 - node.get());
        }
        for (int each = 0; each < 2; each++) {
            node.set(each);
            page = browser.submit(page, Map.of("code", codes.codeOf(person)));
            assertShows(VOID, page);
        }
    }

    @Test
    void bothNodesTogetherSendSoManyCodes() {
        Person person = codes.person();
        for (int login = 0; login < 5; login++) {
            int node = login % 2;
            HttpResponse<String> page = codes.signIn(cluster.browser(() -> node), person);
            assertEquals(login >= 3, page.body().contains("No new code was sent, because too many were asked for."));
        }
        assertEquals(3, codes.mailsTo(person).size());
    }

    @Test
    void wrongPinsAtBothNodesReachTheCap() {
        String person = pins.newPersonWithPin();
        AtomicInteger node = new AtomicInteger();
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> page = pins.givePassword(browser, PIN_FLOW, person);
        for (int guess = 0; guess < MAX_FAILURES; guess++) {
            node.set(guess % 2);
            page = pins.give(browser, page, WRONG_PIN);
        }
        for (int each = 0; each < 2; each++) {
            node.set(each);
            page = pins.give(browser, page, PIN);
            assertEquals(200, page.statusCode(), "the right PIN is rejected as well");
        }
        assertEquals(MAX_FAILURES, pinErrors(person, "invalid_user_credentials"));
        assertEquals(2, pinErrors(person, "user_temporarily_disabled"));
    }

    @Test
    void parallelGuessesAtBothNodesDoNotSlipPastTheCap() throws Exception {
        String person = pins.newPersonWithPin();
        List<Callable<Integer>> guesses = new ArrayList<>();
        for (int guess = 0; guess < PARALLEL_GUESSES; guess++) {
            int node = guess % 2;
            Browser browser = cluster.browser(() -> node);
            HttpResponse<String> page = pins.givePassword(browser, PIN_FLOW, person);
            guesses.add(() -> pins.give(browser, page, WRONG_PIN).statusCode());
        }
        ExecutorService threads = Executors.newFixedThreadPool(PARALLEL_GUESSES);
        try {
            for (Future<Integer> status : threads.invokeAll(guesses)) {
                assertEquals(200, status.get());
            }
        } finally {
            threads.shutdown();
        }
        assertEquals(MAX_FAILURES, pinErrors(person, "invalid_user_credentials"));
        assertEquals(PARALLEL_GUESSES - MAX_FAILURES, pinErrors(person, "user_temporarily_disabled"));
    }

    /** A right PIN clears the count of both nodes. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void rightPinAtOneNodeClearsTheCountOfTheOther(int one, int other) {
        String person = pins.newPersonWithPin();
        for (int login = 0; login < 2; login++) {
            AtomicInteger node = new AtomicInteger(one);
            Browser browser = cluster.browser(node::get);
            HttpResponse<String> page = pins.givePassword(browser, PIN_FLOW, person);
            for (int guess = 0; guess < MAX_FAILURES - 1; guess++) {
                page = pins.give(browser, page, WRONG_PIN);
            }
            node.set(other);
            assertTrue(isSignedIn(pins.give(browser, page, PIN)), "login " + login);
        }
    }

    @Test
    void wrongSecretsAreCountedForBothNodes() {
        DataProviderClient dataProvider =
                cluster.federation(0).newDataProvider().create();
        try (SourceAddressClient stranger = new SourceAddressClient("127.0.9.1", 1);
                SourceAddressClient elsewhere = new SourceAddressClient("127.0.9.2", 1)) {
            for (int i = 0; i < WRONG_SECRETS; i++) {
                assertEquals(401, post(stranger, i % 2, dataProvider, "wrong-" + i));
            }
            // The node that has not begun the lock notices it now.
            assertEquals(401, post(stranger, 0, dataProvider, "one-more"));
            for (int node = 0; node < 2; node++) {
                assertEquals(401, post(stranger, node, dataProvider, dataProvider.secret()));
                assertEquals(200, post(elsewhere, node, dataProvider, dataProvider.secret()));
            }
        }
    }

    private int pinErrors(String person, String error) {
        return Collections.frequency(pins.errors("LOGIN_ERROR", person), error);
    }

    private int post(SourceAddressClient caller, int node, DataProviderClient dataProvider, String secret) {
        Map<String, String> form =
                Map.of("client_id", dataProvider.clientId(), "client_secret", secret, "token", "any-token");
        return caller.post(cluster.federation(node).tax().url(), form, null).status();
    }

    private static boolean isSignedIn(HttpResponse<String> answer) {
        return answer.headers().firstValue("Location").orElse("").contains("code=");
    }
}
