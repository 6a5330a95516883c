package io.github.checktoken.cluster;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.checktoken.cluster.load.CallLoad;
import io.github.checktoken.cluster.load.HaproxyServer;
import io.github.checktoken.cluster.load.LoginLoad;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.realm.PinRealm.MAX_FAILURES;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A node is ended with {@code kill -9} while calls are made and people sign in at HAProxy, and returns. This happens
 * once, before the tests, which look at what was seen meanwhile.
 */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeFailureIT {

    private static final int KILLED = 0;
    private static final int OTHER = 1;
    private static final int LOGINS = 5;
    private static final Duration BEFORE = Duration.ofSeconds(5);
    private static final Duration ALONE = Duration.ofSeconds(10);
    private static final Duration TOGETHER_AGAIN = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final List<String> loginsInProgress = new ArrayList<>();
    private CallLoad calls;
    private LoginLoad logins;
    private Instant killed;
    private Instant returned;

    private MailServer mailServer;
    private EmailCodeRealm codes;
    private PinRealm pins;
    private boolean codeAccepted;
    private boolean pinRejectedWhileAlone;
    private boolean pinRejectedByTheReturnedNode;
    private Map<String, Object> revokedWhileAlone;
    private Map<String, Object> revokedAtTheReturnedNode;

    NodeFailureIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void killANodeAndLetItReturn() throws Exception {
        mailServer = new MailServer(cluster.entrance());
        codes = new EmailCodeRealm(cluster.entrance(), mailServer);
        pins = new PinRealm(cluster.entrance());
        AtomicInteger node = new AtomicInteger(KILLED);
        List<LoginInProgress> begun = new ArrayList<>();
        for (int login = 0; login < LOGINS; login++) {
            begun.add(new LoginInProgress(node));
        }
        EmailCodeRealm.Person person = codes.person();
        Browser mailBrowser = cluster.browser(node::get);
        HttpResponse<String> codePage = codes.signIn(mailBrowser, person);
        String pinPerson = pins.newPersonWithPin();
        Browser pinBrowser = cluster.browser(node::get);
        HttpResponse<String> pinPage = pins.givePassword(pinBrowser, PIN_FLOW, pinPerson);
        for (int guess = 0; guess < MAX_FAILURES; guess++) {
            pinPage = pins.give(pinBrowser, pinPage, WRONG_PIN);
        }
        ServiceProvider town = cluster.federation(KILLED).town();
        String revoked =
                town.signIn(cluster.browser(() -> KILLED), "camille", "openid").accessToken();
        town.revoke(revoked);

        calls = new CallLoad(cluster.federation());
        logins = new LoginLoad(cluster.entrance());
        TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos());
        killed = Instant.now();
        cluster.node(KILLED).kill();
        node.set(OTHER);
        begun.forEach(login -> loginsInProgress.add(login.end()));
        codeAccepted = isSignedIn(mailBrowser.submit(codePage, Map.of("code", codes.codeOf(person))));
        pinPage = pins.give(pinBrowser, pinPage, PIN);
        pinRejectedWhileAlone = pinPage.statusCode() == 200;
        revokedWhileAlone = cluster.federation(OTHER).tax().check(revoked).introspection();
        cluster.awaitMembers(1);
        TimeUnit.NANOSECONDS.sleep(ALONE.toNanos());

        int readiness = Http.send(Http.request(cluster.node(OTHER).managementUrl() + "/health/ready"))
                .statusCode();

        cluster.node(KILLED).start();
        returned = Instant.now();
        cluster.awaitMembers(2);
        cluster.awaitEntrance();
        TimeUnit.NANOSECONDS.sleep(TOGETHER_AGAIN.toNanos());
        calls.close();
        logins.close();
        node.set(KILLED);
        pinRejectedByTheReturnedNode = pins.give(pinBrowser, pinPage, PIN).statusCode() == 200;
        revokedAtTheReturnedNode =
                cluster.federation(KILLED).tax().check(revoked).introspection();
        System.out.printf(
                "kill -9: %s; %s; /health/ready of the other node: %d%n", calls.summary(), logins.summary(), readiness);
    }

    @AfterAll
    void closeAll() {
        codes.close();
        mailServer.close();
    }

    @Test
    void noAnswerIsWrong() {
        assertEquals(List.of(), calls.wrong());
    }

    /** HAProxy tries every half second whether it can connect to a node. */
    @Test
    void onlyConnectionsToTheKilledNodeFailAndOnlyAtThatMoment() {
        for (CallLoad.Result error : calls.connectionErrors()) {
            assertTrue(List.of(HaproxyServer.name(KILLED), CallLoad.CUT_OFF).contains(error.node()), error.toString());
            assertTrue(error.asked().plus(error.took()).isAfter(killed), error.toString());
            assertTrue(error.asked().isBefore(killed.plusSeconds(2)), error.toString());
        }
    }

    @Test
    void loginsUnderLoadAreRightOrInterruptedByAConnectionError() {
        assertEquals(List.of(), logins.wrong());
        assertTrue(logins.interrupted() < logins.successes() / 10, logins::summary);
    }

    @Test
    void loginsBegunAtTheKilledNodeEndWellAtTheOther() {
        assertEquals(Collections.nCopies(LOGINS, "fc pwd, active"), loginsInProgress);
    }

    @Test
    void codeSentByTheKilledNodeIsAcceptedByTheOther() {
        assertTrue(codeAccepted);
    }

    @Test
    void wrongPinsThatTheKilledNodeCountedStillCount() {
        assertTrue(pinRejectedWhileAlone);
        assertTrue(pinRejectedByTheReturnedNode);
    }

    @Test
    void tokenRevokedAtTheKilledNodeStaysInactive() {
        assertEquals(Map.of("active", false), revokedWhileAlone);
        assertEquals(Map.of("active", false), revokedAtTheReturnedNode);
    }

    @Test
    void nodeThatReturnsAnswersAgain() {
        assertTrue(calls.answersOf(HaproxyServer.name(KILLED), returned) > 0);
    }

    private static boolean isSignedIn(HttpResponse<String> answer) {
        return answer.headers().firstValue("Location").orElse("").contains("code=");
    }

    /** A login whose page the killed node has sent. */
    private final class LoginInProgress {

        private final Browser browser;
        private final HttpResponse<String> page;

        LoginInProgress(AtomicInteger node) {
            browser = cluster.browser(node::get);
            page = browser.get(
                    cluster.federation(KILLED).town().request().askingForAmr().url());
        }

        String end() {
            Tokens tokens = cluster.federation(OTHER).town().redeem(browser.givePassword(page, "camille"));
            boolean active =
                    cluster.federation(OTHER).tax().check(tokens.accessToken()).active();
            return tokens.amr() + (active ? ", active" : ", not active");
        }
    }
}
