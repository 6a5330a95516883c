package io.github.checktoken.cluster;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two nodes on one PostgreSQL, while an administrator replaces the JAR: the first node still has an earlier one. What one
 * node has written, the other reads, in both directions.
 */
@Tag("cluster")
@EnabledIfSystemProperty(named = "previous.jar", matches = ".+", disabledReason = "-Dprevious.jar names no earlier JAR")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollingUpdateIT {

    private static final Path PREVIOUS_JAR = Path.of(System.getProperty("previous.jar", ""));

    private PostgresServer postgres;
    private final List<DistributionServer> nodes = new ArrayList<>();

    @BeforeAll
    void startAll() throws IOException {
        postgres = new PostgresServer();
        List<String> arguments = new ArrayList<>(postgres.arguments());
        arguments.addAll(List.of("--cache=ispn", "--cache-embedded-network-bind-address=127.0.0.1"));
        nodes.add(DistributionServer.nodeWith(PREVIOUS_JAR, "keycloak-previous", arguments));
        arguments.add("--hostname=" + nodes.get(0).baseUrl());
        nodes.add(DistributionServer.node("keycloak-new", arguments));
    }

    @AfterAll
    void stopAll() throws IOException {
        nodes.forEach(DistributionServer::close);
        if (postgres != null) {
            postgres.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void loginBegunAtOneNodeAndFinishedAtTheOtherHasItsAmr(int first, int second) {
        Browser browser = new Browser(nodes.get(0));
        HttpResponse<String> page = begin(browser, first);
        HttpResponse<String> redirect = givePassword(browser, second, page, "camille");

        assertEquals("fc pwd", town(second).redeem(redirect).amr());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void refreshAtTheOtherNodeHasTheSameAmr(int first, int second) {
        Browser browser = new Browser(nodes.get(0));
        HttpResponse<String> page = begin(browser, first);
        Tokens tokens = town(first).redeem(givePassword(browser, first, page, "camille"));

        assertEquals("fc pwd", tokens.amr());
        assertEquals("fc pwd", town(second).refresh(tokens).amr());
        assertTrue(new Federation(nodes.get(second))
                .tax()
                .check(tokens.accessToken())
                .active());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void sessionOfOneNodeCountsAtTheOther(int first, int second) {
        Browser browser = new Browser(nodes.get(0));
        givePassword(browser, first, begin(browser, first), "camille");

        assertEquals("fc pwd", town(second).redeem(begin(browser, second)).amr());
    }

    /** Chosen at the first node, given at the second, which stores its use; then given at the first again. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void pinChosenAtOneNodeIsGivenAtTheOther(int first, int second) {
        try (DemoPerson person = new DemoPerson(
                new Federation(nodes.get(0)).admin(), List.of(DemoPerson.PASSWORD), List.of("configure-pin"))) {
            Browser browser = new Browser(nodes.get(0));
            HttpResponse<String> choice = givePassword(browser, first, begin(browser, first), person.name());
            String pin = "280461";
            browser.post(at(first, Browser.action(choice)), Map.of("pin-new", pin, "pin-confirm", pin));

            for (int node : List.of(second, first)) {
                Browser another = new Browser(nodes.get(0));
                HttpResponse<String> form = givePassword(another, node, begin(another, node), person.name());
                HttpResponse<String> redirect = another.post(at(node, Browser.action(form)), Map.of("pin", pin));
                assertEquals("fc pwd pin", town(node).redeem(redirect).amr());
            }
        }
    }

    private ServiceProvider town(int node) {
        return new Federation(nodes.get(node)).town();
    }

    private HttpResponse<String> begin(Browser browser, int node) {
        return browser.get(at(node, town(0).request().askingForAmr().url()));
    }

    private HttpResponse<String> givePassword(Browser browser, int node, HttpResponse<String> page, String username) {
        return browser.post(at(node, Browser.action(page)), Map.of("username", username, "password", "demo-password"));
    }

    /** All addresses in pages are those of the first node. */
    private String at(int node, String address) {
        return address.replace(
                nodes.get(0).baseUrl().toString(), nodes.get(node).baseUrl().toString());
    }
}
