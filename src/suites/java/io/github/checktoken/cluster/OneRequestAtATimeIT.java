package io.github.checktoken.cluster;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.realm.StoredSecret;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_USERNAME_FIRST_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** While one node checks a PIN of A, the login of the same tab begins anew at the other node, which has to wait. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneRequestAtATimeIT {

    private static final String BOTH_WAYS = """
            0, 1
            1, 0
            """;

    /** The check of the PIN has begun by then, and takes at least twice as long. A request waits for 5 seconds at most. */
    private static final int BEGUN_MILLIS = 300;

    private static final int ITERATIONS = 1_000_000;

    /** The session is free when the transaction has ended, a moment before the browser has the answer. */
    private static final int ANSWER_MILLIS = 200;

    private static final Pattern TAB = Pattern.compile("client_id=[^&]+&tab_id=[^&]+");

    private final Cluster cluster;
    private PinRealm realm;
    private DemoPerson a;
    private DemoPerson v;

    OneRequestAtATimeIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void createRealm() {
        realm = new PinRealm(cluster.entrance());
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void requestWaitsForTheOneAtTheOtherNode(int one, int other) throws Exception {
        createPersons();
        AtomicInteger node = new AtomicInteger(one);
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, a.name());
        assertShows("Enter your PIN", page);

        CompletableFuture<HttpResponse<String>> answer = atOnce(browser, page, Map.of("pin", PIN));
        node.set(other);
        beginAnew(browser, page);

        assertEndsForA(PIN_FLOW, answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** The page of V's password is all that anybody gets to who enters the name of V. */
    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void pinIsChangedOnlyByItsOwner(int one, int other) throws Exception {
        createPersons();
        AtomicInteger node = new AtomicInteger(one);
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> name = realm.request(browser, PIN_USERNAME_FIRST_FLOW, "&kc_action=configure-pin");
        HttpResponse<String> password = browser.submit(name, Map.of("username", a.name()));
        HttpResponse<String> pin = browser.submit(password, Map.of("password", "demo-password"));
        HttpResponse<String> page = browser.submit(pin, Map.of("pin", PIN));
        assertShows("Choose a PIN", page);

        CompletableFuture<HttpResponse<String>> answer =
                atOnce(browser, page, Map.of("pin-current", PIN, "pin-new", "839174", "pin-confirm", "839174"));
        node.set(other);
        HttpResponse<String> anew = beginAnew(browser, page);
        if (anew.body().contains("name=\"username\"")) {
            browser.submit(anew, Map.of("username", v.name()));
        }

        assertEndsForA(PIN_USERNAME_FIRST_FLOW, answer.get());
        assertEquals(
                0, realm.admin().get(realm.admin().user(v.name()) + "/sessions").size(), "sessions of V");
    }

    private void createPersons() {
        a = new DemoPerson(
                realm.admin(),
                List.of(DemoPerson.PASSWORD, StoredSecret.slowCredential("pin", PIN, ITERATIONS)),
                List.of());
        v = new DemoPerson(realm.admin(), List.of(DemoPerson.PASSWORD), List.of());
    }

    /** @return the answer to the form, which a node is working on when this returns */
    private static CompletableFuture<HttpResponse<String>> atOnce(
            Browser browser, HttpResponse<String> page, Map<String, String> fields) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                CompletableFuture.supplyAsync(() -> browser.submit(page, fields));
        Thread.sleep(BEGUN_MILLIS);
        assertFalse(answer.isDone(), "the check of the PIN was too fast");
        return answer;
    }

    private HttpResponse<String> beginAnew(Browser browser, HttpResponse<String> page) {
        Matcher tab = TAB.matcher(Browser.action(page));
        if (!tab.find()) {
            throw new AssertionError(Browser.action(page));
        }
        return browser.get(realm.url() + "/login-actions/restart?" + tab.group());
    }

    private void assertEndsForA(String flow, HttpResponse<String> answer) {
        Tokens tokens = realm.client(flow).redeem(answer);
        assertEquals(
                a.name(),
                Tokens.claims(tokens.idToken()).path("preferred_username").asText());
    }
}
