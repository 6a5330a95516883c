package io.github.checktoken.cluster;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.checktoken.cluster.load.CallLoad;
import io.github.checktoken.cluster.load.HaproxyServer;
import io.github.checktoken.cluster.load.LoginLoad;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.DemoPerson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two nodes on one PostgreSQL, while an administrator replaces the JAR: the first node still has an earlier one. What one
 * node has written, the other reads, in both directions. At last the first node gets the new JAR, under load.
 */
@Tag("cluster")
@EnabledIfSystemProperty(named = "previous.jar", matches = ".+", disabledReason = "-Dprevious.jar names no earlier JAR")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RollingUpdateIT {

    private static final Path PREVIOUS_JAR = Path.of(System.getProperty("previous.jar", ""));
    private static final Duration BEFORE_AND_AFTER = Duration.ofSeconds(5);

    private Cluster cluster;

    @BeforeAll
    void startAll() throws Exception {
        cluster = new Cluster(PREVIOUS_JAR);
    }

    @AfterAll
    void stopAll() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void loginBegunAtOneNodeAndFinishedAtTheOtherHasItsAmr(int first, int second) {
        AtomicInteger node = new AtomicInteger(first);
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> page = begin(browser);
        node.set(second);

        assertEquals(
                "fc pwd",
                town(second).redeem(browser.givePassword(page, "camille")).amr());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void refreshAtTheOtherNodeHasTheSameAmr(int first, int second) {
        Browser browser = cluster.browser(() -> first);
        Tokens tokens = town(first).redeem(browser.givePassword(begin(browser), "camille"));

        assertEquals("fc pwd", tokens.amr());
        assertEquals("fc pwd", town(second).refresh(tokens).amr());
        assertTrue(cluster.federation(second).tax().check(tokens.accessToken()).active());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void sessionOfOneNodeCountsAtTheOther(int first, int second) {
        AtomicInteger node = new AtomicInteger(first);
        Browser browser = cluster.browser(node::get);
        browser.givePassword(begin(browser), "camille");
        node.set(second);

        assertEquals("fc pwd", town(second).redeem(begin(browser)).amr());
    }

    /** Chosen at the first node, given at the second, which stores its use; then given at the first again. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void pinChosenAtOneNodeIsGivenAtTheOther(int first, int second) {
        try (DemoPerson person =
                new DemoPerson(cluster.federation(0).admin(), List.of(DemoPerson.PASSWORD), List.of("configure-pin"))) {
            Browser browser = cluster.browser(() -> first);
            HttpResponse<String> choice = browser.givePassword(begin(browser), person.name());
            String pin = "280461";
            browser.submit(choice, Map.of("pin-new", pin, "pin-confirm", pin));

            for (int node : List.of(second, first)) {
                Browser another = cluster.browser(() -> node);
                HttpResponse<String> form = another.givePassword(begin(another), person.name());
                HttpResponse<String> redirect = another.submit(form, Map.of("pin", pin));
                assertEquals("fc pwd pin", town(node).redeem(redirect).amr());
            }
        }
    }

    /** The session and the token are of the earlier JAR, and the second node has the new one all the time. */
    @Test
    @Order(Integer.MAX_VALUE)
    void noAnswerIsWrongWhileTheFirstNodeGetsTheNewJar() throws Exception {
        Browser browser = cluster.browser(() -> 0);
        Tokens before = town(0).redeem(browser.givePassword(begin(browser), "camille"));
        CallLoad calls = new CallLoad(cluster.federation());
        LoginLoad logins = new LoginLoad(cluster.entrance());
        try {
            TimeUnit.NANOSECONDS.sleep(BEFORE_AND_AFTER.toNanos());
            Instant stopped = Instant.now();
            cluster.node(0).stop();
            Instant gone = Instant.now();
            cluster.node(0).update();
            cluster.node(0).start();
            Instant returned = Instant.now();
            cluster.awaitMembers(2);
            cluster.awaitEntrance();
            TimeUnit.NANOSECONDS.sleep(BEFORE_AND_AFTER.toNanos());
            System.out.printf("rolling update: %s; %s%n", calls.summary(), logins.summary());

            assertEquals(List.of(), calls.wrong());
            assertEquals(List.of(), logins.wrong());
            assertTrue(logins.interrupted() < logins.successes() / 10, logins::summary);
            for (CallLoad.Result error : calls.connectionErrors()) {
                assertTrue(List.of(HaproxyServer.name(0), CallLoad.CUT_OFF).contains(error.node()), error.toString());
                assertTrue(error.asked().plus(error.took()).isAfter(stopped), error.toString());
                assertTrue(error.asked().isBefore(gone.plusSeconds(2)), error.toString());
            }
            assertTrue(calls.answersOf(HaproxyServer.name(0), returned) > 0);
            assertEquals("fc pwd", town(0).refresh(before).amr());
            assertEquals("fc pwd", town(0).redeem(begin(browser)).amr());
            assertTrue(cluster.federation(0).tax().check(before.accessToken()).active());
        } finally {
            calls.close();
            logins.close();
        }
    }

    private ServiceProvider town(int node) {
        return cluster.federation(node).town();
    }

    private HttpResponse<String> begin(Browser browser) {
        return browser.get(town(0).request().askingForAmr().url());
    }
}
