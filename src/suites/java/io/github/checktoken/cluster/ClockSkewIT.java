package io.github.checktoken.cluster;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.FakeClock;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A further node whose clock is a minute behind that of the others, so that theirs are a minute ahead of it. Changes the
 * clock with libfaketime ({@code apt-get install faketime}).
 */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClockSkewIT {

    private static final int SECONDS = 60;
    private static final long TOLERANCE = 5;

    private final Cluster cluster;
    private final DistributionServer right;
    private DistributionServer behind;

    ClockSkewIT(Cluster cluster) {
        this.cluster = cluster;
        this.right = cluster.node(0);
    }

    @BeforeAll
    void startNode() throws Exception {
        behind = cluster.furtherNode("keycloak-behind", List.of(), clock(-SECONDS));
    }

    @AfterAll
    void stopNode() throws Exception {
        if (behind != null) {
            behind.close();
        }
        cluster.awaitMembers(2);
        cluster.awaitRegistration();
    }

    @Test
    void tokenOfEachNodeIsActiveAtTheOther() {
        Tokens ofBehind = signIn(behind);
        Tokens ofRight = signIn(right);

        assertTrue(isActive(right, ofBehind));
        assertTrue(isActive(behind, ofRight));
    }

    @Test
    void loginBegunAtOneNodeEndsWellAtTheOther() {
        for (List<DistributionServer> way : List.of(List.of(behind, right), List.of(right, behind))) {
            AtomicReference<DistributionServer> node = new AtomicReference<>(way.get(0));
            Browser browser = cluster.browserAt(node::get);
            HttpResponse<String> page = browser.get(request(way.get(0)));
            node.set(way.get(1));
            Tokens tokens = town(way.get(1)).redeem(browser.givePassword(page, "camille"));

            assertEquals("fc pwd", tokens.amr());
            assertTrue(isActive(way.get(0), tokens));
            assertTrue(isActive(way.get(1), tokens));
        }
    }

    @Test
    void codeByMailOfOneNodeSignsInAtTheOther() {
        try (MailServer mailServer = new MailServer(cluster.entrance());
                EmailCodeRealm codes = new EmailCodeRealm(cluster.entrance(), mailServer)) {
            for (List<DistributionServer> way : List.of(List.of(behind, right), List.of(right, behind))) {
                EmailCodeRealm.Person person = codes.person();
                AtomicReference<DistributionServer> node = new AtomicReference<>(way.get(0));
                Browser browser = cluster.browserAt(node::get);
                HttpResponse<String> page = codes.signIn(browser, person);
                node.set(way.get(1));
                HttpResponse<String> redirect = browser.submit(page, Map.of("code", codes.codeOf(person)));

                assertTrue(redirect.headers().firstValue("Location").orElse("").contains("code="));
            }
        }
    }

    /** Each node decides by its own clock whether a token has expired. */
    @Test
    void tokenExpiresLaterAtTheNodeBehindAndItsTokensEarlierAtTheOthers() throws Exception {
        Tokens ofRight = signIn(right, 5);
        Tokens ofBehind = signIn(behind, 30);
        assertTrue(isActive(behind, ofBehind));
        assertFalse(isActive(right, ofBehind));
        TimeUnit.SECONDS.sleep(6);
        assertFalse(isActive(right, ofRight));
        assertTrue(isActive(behind, ofRight));
    }

    @Test
    void answerHasTheTimeOfItsNode() {
        long iat = ((Number) tax(behind).check("any-token").payload().get("iat")).longValue();

        assertEquals(Instant.now().getEpochSecond() - SECONDS, iat, TOLERANCE);
    }

    /** The code expires after 30 seconds, which have passed for the other node. */
    @Test
    void authorizationCodeOfTheNodeBehindIsRejectedByTheOther() throws Exception {
        AdminApi admin = cluster.federation(0).admin();
        int before = admin.get("").get("accessCodeLifespan").asInt();
        admin.update("", realm -> realm.put("accessCodeLifespan", SECONDS / 2));
        try {
            Cluster.await("a code that has expired", () -> redeem(right, signInFor(behind)) == 400);
            assertEquals(200, redeem(right, signInFor(right)));
            assertEquals(200, redeem(behind, signInFor(right)));
        } finally {
            admin.update("", realm -> realm.put("accessCodeLifespan", before));
        }
    }

    /** @return the redirect with the code */
    private HttpResponse<String> signInFor(DistributionServer node) {
        Browser browser = cluster.browserAt(() -> node);
        return browser.givePassword(browser.get(request(node)), "camille");
    }

    private static int redeem(DistributionServer node, HttpResponse<String> redirect) {
        Map<String, String> form = Map.of(
                "grant_type", "authorization_code",
                "code", ServiceProvider.code(redirect),
                "redirect_uri", "http://localhost:8999/sp-town/callback");
        return town(node).post("/protocol/openid-connect/token", form).statusCode();
    }

    /** Keycloak rejects a token that is older than its session, until the node's clock has caught up. */
    @Test
    void tokenOfTheNodeBehindForASessionOfAnotherNodeIsNotActive() {
        Tokens tokens = town(behind).refresh(signIn(right));

        assertEquals("fc pwd", tokens.amr());
        assertFalse(isActive(behind, tokens));
        assertFalse(isActive(right, tokens));
        Tokens other = town(right).refresh(signIn(behind));
        assertEquals("fc pwd", other.amr());
        assertTrue(isActive(behind, other));
        assertTrue(isActive(right, other));
    }

    /**
     * Keycloak takes the other nodes for dead, because they have written the time of their last sign of life into the
     * database.
     */
    @Test
    void nodeThatStartsWithAClockAheadFindsNoOtherNode() throws Exception {
        DistributionServer ahead = cluster.lonelyNode("keycloak-ahead", clock(SECONDS));
        try {
            assertEquals(1, Cluster.members(ahead));
            assertEquals(3, Cluster.members(right));
        } finally {
            ahead.close();
        }
    }

    private static Map<String, String> clock(int seconds) throws IOException {
        return Map.of(
                "LD_PRELOAD", FakeClock.library(),
                "FAKETIME", "%+d".formatted(seconds),
                // The times of files stay as they are, because Keycloak compares them.
                "NO_FAKE_STAT", "1");
    }

    /** Signs in while tokens have this lifespan. The node can learn a moment later that it was changed. */
    private Tokens signIn(DistributionServer node, int lifespan) throws Exception {
        AdminApi admin = cluster.federation(0).admin();
        int before = admin.get("").get("accessTokenLifespan").asInt();
        admin.update("", realm -> realm.put("accessTokenLifespan", lifespan));
        try {
            AtomicReference<Tokens> tokens = new AtomicReference<>();
            Cluster.await("the lifespan", () -> {
                tokens.set(signIn(node));
                JsonNode claims = tokens.get().accessClaims();
                return claims.get("exp").asInt() - claims.get("iat").asInt() == lifespan;
            });
            return tokens.get();
        } finally {
            admin.update("", realm -> realm.put("accessTokenLifespan", before));
        }
    }

    private boolean isActive(DistributionServer node, Tokens tokens) {
        return tax(node).check(tokens.accessToken()).active();
    }

    private Tokens signIn(DistributionServer node) {
        return town(node)
                .signIn(
                        cluster.browserAt(() -> node),
                        "camille",
                        town(node).request().askingForAmr());
    }

    private String request(DistributionServer node) {
        return town(node).request().askingForAmr().url();
    }

    private static ServiceProvider town(DistributionServer node) {
        return new Federation(node).town();
    }

    private static DataProviderClient tax(DistributionServer node) {
        return new Federation(node).tax();
    }
}
