package io.github.checktoken.cluster;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What two nodes do while something that they need is gone: a data provider's keys, the mail server, the disk for logs. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostServicesIT {

    /** A host that fails is asked again after ten seconds. */
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(12);

    private final Cluster cluster;

    LostServicesIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Only the first node has fetched the key when its host goes. */
    @Test
    void nodeThatKnowsTheKeyAnswersAndTheOtherSays503UntilTheHostIsBack() throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).keyID("key").generate();
        JwksServer host = new JwksServer(cluster.entrance(), key);
        int port = URI.create(host.url()).getPort();
        DataProviderClient dataProvider =
                cluster.federation(0).newDataProvider().jwksUrl(host.url()).create();
        assertEquals("key", keyId(post(0, dataProvider)));

        host.close();
        for (int call = 0; call < 3; call++) {
            assertEquals("key", keyId(post(0, dataProvider)));
            assertNoKey(post(1, dataProvider));
        }

        Instant back = Instant.now();
        try (JwksServer again = new JwksServer(cluster.entrance(), port, key)) {
            Cluster.await("the key", () -> post(1, dataProvider).statusCode() == 200);
            assertTrue(Duration.between(back, Instant.now()).compareTo(ASKED_AGAIN) < 0);
            assertEquals("key", keyId(post(1, dataProvider)));
            assertEquals(1, again.fetches());
        }
    }

    /** As the administrator's guide warns: saving a data provider makes every node forget its keys. */
    @Test
    void savingADataProviderWhoseHostIsGoneTakesItsAnswersAwayAtBothNodes() throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).keyID("key").generate();
        JwksServer host = new JwksServer(cluster.entrance(), key);
        int port = URI.create(host.url()).getPort();
        DataProviderClient dataProvider =
                cluster.federation(0).newDataProvider().jwksUrl(host.url()).create();
        assertEquals("key", keyId(post(0, dataProvider)));
        assertEquals("key", keyId(post(1, dataProvider)));
        host.close();

        AdminApi admin = cluster.federation(0).admin();
        admin.update(admin.client(dataProvider.clientId()), client -> {});

        assertNoKey(post(0, dataProvider));
        Cluster.await("503", () -> post(1, dataProvider).statusCode() == 503);
        assertNoKey(post(1, dataProvider));
        try (JwksServer again = new JwksServer(cluster.entrance(), port, key)) {
            Cluster.await(
                    "the key",
                    () -> post(0, dataProvider).statusCode() == 200
                            && post(1, dataProvider).statusCode() == 200);
        }
    }

    /** A code that was not sent can be asked for again, at the other node too. Other logins do not need the server. */
    @Test
    void codeIsSentByTheOtherNodeWhenTheMailServerIsBack() {
        try (MailServer mailServer = new MailServer(cluster.entrance());
                EmailCodeRealm codes = new EmailCodeRealm(cluster.entrance(), mailServer)) {
            codes.settings(Map.of("resendWait", "0"));
            EmailCodeRealm.Person person = codes.person();
            AtomicInteger node = new AtomicInteger();
            Browser browser = cluster.browser(node::get);
            codes.mailServer(mailServer.settingsOfNone());

            HttpResponse<String> page = codes.signIn(browser, person);
            assertShows("could not be sent", page);
            assertEquals(List.of("email_send_failed"), codes.errors(person));
            node.set(1);
            page = browser.submit(page, Map.of("resend", ""));
            assertShows("could not be sent", page);
            assertEquals(
                    "fc pwd",
                    cluster.federation(1)
                            .town()
                            .signIn(
                                    cluster.browser(() -> 1),
                                    "camille",
                                    cluster.federation(1).town().request().askingForAmr())
                            .amr());

            codes.mailServer(mailServer.settings());
            page = browser.submit(page, Map.of("resend", ""));
            assertEquals(1, codes.mailsTo(person).size());
            node.set(0);
            HttpResponse<String> redirect = browser.submit(page, Map.of("code", codes.codeOf(person)));
            assertTrue(redirect.headers().firstValue("Location").orElse("").contains("code="), redirect.body());
        }
    }

    /** Only the log is lost: its lines go nowhere until there is room again. */
    @Test
    void answersStayRightWhileTheDiskForTheLogIsFull() throws Exception {
        try (SmallDisk disk = new SmallDisk()) {
            Path log = disk.folder().resolve("keycloak.log");
            DistributionServer node = cluster.furtherNode(
                    "keycloak-full-disk", List.of("--log=console,file", "--log-file=" + log), Map.of());
            try {
                Federation federation = new Federation(node);
                String token = federation
                        .town()
                        .signIn(cluster.browserAt(() -> node), "camille", Federation.ALL_SCOPES)
                        .accessToken();
                Map<String, Object> expected = federation.tax().check(token).introspection();
                assertEquals(Boolean.TRUE, expected.get("active"));
                disk.fill();
                long size = Files.size(log);
                for (int call = 0; call < 200; call++) {
                    assertEquals(expected, federation.tax().check(token).introspection());
                    // A wrong secret is an event, which Keycloak logs.
                    assertEquals(401, wrongSecret(federation.tax()));
                }
                assertEquals(
                        "fc pwd",
                        federation
                                .town()
                                .signIn(
                                        cluster.browserAt(() -> node),
                                        "camille",
                                        federation.town().request().askingForAmr())
                                .amr());
                assertTrue(Files.size(log) - size < 4096, "the disk was not full");

                disk.free();
                Cluster.await("a line in the log", () -> {
                    wrongSecret(federation.tax());
                    return Files.size(log) > size + 4096;
                });
                assertEquals(expected, federation.tax().check(token).introspection());
            } finally {
                node.close();
            }
            cluster.awaitMembers(2);
        }
    }

    private static int wrongSecret(DataProviderClient dataProvider) {
        return Http.send(Http.form(
                        dataProvider.url(),
                        Map.of("client_id", dataProvider.clientId(), "client_secret", "wrong-secret", "token", "any")))
                .statusCode();
    }

    private HttpResponse<String> post(int node, DataProviderClient dataProvider) {
        return Http.send(Http.form(
                cluster.federation(node).tax().url(),
                Map.of(
                        "client_id", dataProvider.clientId(),
                        "client_secret", dataProvider.secret(),
                        "token", "any-token")));
    }

    private static String keyId(HttpResponse<String> answer) throws ParseException {
        assertEquals(200, answer.statusCode(), answer.body());
        return JWEObject.parse(answer.body()).getHeader().getKeyID();
    }

    private static void assertNoKey(HttpResponse<String> answer) {
        assertEquals(503, answer.statusCode(), answer.body());
        assertEquals(
                "temporarily_unavailable",
                Http.json(answer.body()).path("error").asText());
        assertTrue(answer.body().contains("RSA-OAEP-256"), answer.body());
    }
}
