package io.github.checktoken.introspection.secretguess;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import io.github.checktoken.support.client.ClientAssertion;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.SourceAddressClient;
import io.github.checktoken.support.client.SourceAddressClient.Response;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests guesses at a data provider's secret, with the server's defaults. Each test guesses from an address of its own,
 * because a lock lasts for ten minutes.
 */
@ExtendWith(KeycloakExtension.class)
class SecretGuessIT {

    private static final int MOST = 30;
    private static final int THREADS = 16;
    private static final String REFUSED = "too many wrong secrets for this client from this address";
    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    private final Federation federation;
    private final DataProviderClient dataProvider;
    private SourceAddressClient stranger;
    private SourceAddressClient elsewhere;

    SecretGuessIT(Federation federation) {
        assumeTrue(federation.server() instanceof DistributionServer, "the server must see who calls");
        this.federation = federation;
        this.dataProvider = federation.newDataProvider().create();
    }

    @BeforeEach
    void chooseAddresses() {
        stranger = new SourceAddressClient("127.0.7." + ADDRESSES.incrementAndGet(), THREADS);
        elsewhere = new SourceAddressClient("127.0.8.1", 1);
    }

    @AfterEach
    void hangUp() {
        stranger.close();
        elsewhere.close();
    }

    @Test
    void theRightSecretIsRefusedFromThereAndAnsweredElsewhere() {
        guess(MOST - 1);
        assertEquals(200, postRight(stranger).status());
        Response wrong = postWrong("last");

        assertEquals(wrong, postRight(stranger));
        assertEquals(401, wrong.status());
        assertEquals(
                REFUSED,
                lastError(dataProvider.clientId()).at("/details/reason").asText());
        assertEquals(200, postRight(elsewhere).status());
    }

    @Test
    void anUnknownClientIsNotCountedAndAnsweredAlike() {
        String unknown = "unknown-" + UUID.randomUUID();
        Response wrong = postWrong("any");
        for (int i = 0; i <= MOST; i++) {
            assertEquals(wrong, post(stranger, unknown, "wrong-" + i));
        }
        assertNotEquals(REFUSED, lastError(unknown).at("/details/reason").asText());
    }

    /** A program may still use the old secret while another program at the same address already has the new one. */
    @Test
    void aSecretThatIsRepeatedCountsOnce() {
        for (int i = 0; i < 2 * MOST; i++) {
            assertEquals(401, postWrong("the same").status());
        }
        assertEquals(200, postRight(stranger).status());
    }

    @Test
    void secretsInTheHeaderCount() {
        for (int i = 0; i < MOST; i++) {
            assertEquals(401, basic("wrong-" + i).status());
        }
        assertEquals(401, basic(dataProvider.secret()).status());
        assertEquals(401, postRight(stranger).status());
    }

    /** Each call also has a decoy in the header, so that it names two clients. */
    @Test
    void assertionsSignedWithASecretCount() {
        DataProviderClient byAssertion = federation
                .newDataProvider()
                .with("clientAuthenticatorType", "client-secret-jwt")
                .create();
        for (int i = 0; i < MOST; i++) {
            String decoy = basicHeader("decoy-" + i, "secret");
            assertEquals(
                    401,
                    send(
                                    stranger,
                                    byAssertion.url(),
                                    assertion(byAssertion).signedBy("wrong-" + i + byAssertion.secret()),
                                    decoy)
                            .status());
        }
        Map<String, String> right = assertion(byAssertion).signedBy(byAssertion.secret());
        assertEquals(401, send(stranger, byAssertion.url(), right, null).status());
        assertEquals(
                200, send(elsewhere, byAssertion.url(), right, null).status(), "it must not have been checked before");
    }

    /** A data provider whose clock is wrong must be answered as soon as the clock is right again. */
    @Test
    void assertionsThatAreSignedWithTheRightSecretDoNotCount() {
        DataProviderClient byAssertion = federation
                .newDataProvider()
                .with("clientAuthenticatorType", "client-secret-jwt")
                .create();
        long past = Instant.now().minusSeconds(7200).getEpochSecond();
        for (int i = 0; i <= MOST; i++) {
            for (ClientAssertion wrong : List.of(
                    assertion(byAssertion).with("iat", past).with("exp", past + 60),
                    assertion(byAssertion).with("aud", "https://other.example.org"))) {
                assertEquals(
                        401,
                        send(stranger, byAssertion.url(), wrong.signedBy(byAssertion.secret()), null)
                                .status());
            }
        }
        Map<String, String> once = assertion(byAssertion).signedBy(byAssertion.secret());
        assertEquals(200, send(stranger, byAssertion.url(), once, null).status());
        assertEquals(401, send(stranger, byAssertion.url(), once, null).status());
    }

    @Test
    void theRightSecretOfADisabledClientDoesNotCount() {
        guess(MOST - 1);
        String client = federation.admin().client(dataProvider.clientId());
        federation.admin().update(client, it -> it.put("enabled", false));
        assertEquals(401, postRight(stranger).status());
        federation.admin().update(client, it -> it.put("enabled", true));
        assertEquals(200, postRight(stranger).status());
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, https://other.example.org",
        "Origin, null",
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-origin"
    })
    void whatABrowserSendsIsRefusedBeforeItCounts(String header, String value) {
        for (int i = 0; i <= MOST; i++) {
            Map<String, String> form = new HashMap<>(secret(dataProvider.clientId(), "wrong-" + i));
            form.put("token", "any-token");
            HttpResponse<String> refused =
                    Http.send(Http.form(dataProvider.url(), form).header(header, value));
            assertEquals(400, refused.statusCode());
            assertEquals(
                    "invalid_request", Http.json(refused.body()).get("error").asText());
        }
        JsonNode event = federation
                .admin()
                .get("/events?type=INTROSPECT_TOKEN_ERROR&max=1")
                .get(0);
        assertEquals("sent by a browser", event.at("/details/reason").asText());
        Map<String, String> right = new HashMap<>(secret(dataProvider.clientId(), dataProvider.secret()));
        right.put("token", "any-token");
        assertEquals(200, Http.send(Http.form(dataProvider.url(), right)).statusCode());
    }

    /** Keycloak generates a key of the realm if somebody asks for one that is missing. */
    @Test
    void guessesGenerateNoKey() throws Exception {
        FreshRealm realm = new FreshRealm(federation.server());
        String keyProviders = "/components?type=org.keycloak.keys.KeyProvider";
        for (JsonNode component : realm.admin().get(keyProviders)) {
            if (component.at("/config/algorithm/0").asText().equals("HS512")) {
                realm.admin().delete("/components/" + component.get("id").asText());
            }
        }
        int before = realm.admin().get(keyProviders).size();
        String url = federation.server().realmUrl(realm.name()) + "/checktoken";

        List<Response> responses = inParallel(IntStream.range(0, 40)
                .mapToObj(i ->
                        (Callable<Response>) () -> send(stranger, url, secret(FreshRealm.CLIENT, "wrong-" + i), null))
                .toList());

        assertEquals(
                List.of(401),
                responses.stream().map(Response::status).distinct().toList());
        assertEquals(before, realm.admin().get(keyProviders).size());
    }

    @Test
    void aDataProviderWithAKeyIsNotLimited() throws JOSEException {
        ECKey signer = new ECKeyGenerator(Curve.P_256)
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.ES256)
                .generate();
        ECKey encryption =
                new ECKeyGenerator(Curve.P_256).keyUse(KeyUse.ENCRYPTION).generate();
        DataProviderClient byKey = federation
                .newDataProvider()
                .with("clientAuthenticatorType", "client-jwt")
                .encryptedWith("ECDH-ES")
                .decryptingWith(encryption)
                .jwks(JwksServer.json(encryption, signer))
                .create();
        for (int i = 0; i < MOST; i++) {
            assertEquals(401, post(stranger, byKey.clientId(), "wrong-" + i).status());
        }
        assertEquals(
                200,
                send(stranger, byKey.url(), assertion(byKey).signedBy(signer), null)
                        .status());
    }

    @Test
    void bothPathsOfTheEndpointCountTogether() {
        String shortPath = federation.url() + "/checktoken";
        for (int i = 0; i < MOST; i++) {
            assertEquals(
                    401,
                    send(stranger, shortPath, secret(dataProvider.clientId(), "wrong-" + i), null)
                            .status());
        }
        assertEquals(401, postRight(stranger).status());
    }

    /** Secrets that are being checked when the lock begins are still checked, at most one on each connection. */
    @Test
    void parallelGuessesDoNotSlipPastTheLimit() throws Exception {
        inParallel(IntStream.range(0, 20 * THREADS)
                .mapToObj(i -> (Callable<Response>) () -> postWrong("wrong-" + i))
                .toList());

        int checked = errorsAfterACheck(20 * THREADS);
        assertTrue(checked >= MOST && checked < MOST + THREADS, checked + " were checked");
        assertEquals(1, warnings(), "the log must have exactly one warning");
        assertEquals(401, postRight(stranger).status());
    }

    /** After the first forty-six guesses, every hundredth guess is the right secret. */
    @Tag("long")
    @Test
    void tenThousandGuesses() throws Exception {
        int guesses = 10_000;
        ExecutorService owner = Executors.newSingleThreadExecutor();
        AtomicInteger guessed = new AtomicInteger();
        try {
            Future<long[]> answered = owner.submit(() -> askUntil(guessed, guesses));
            long begin = System.nanoTime();
            List<Response> responses = inParallel(IntStream.range(0, guesses)
                    .mapToObj(i -> (Callable<Response>) () -> {
                        boolean right = i > MOST + THREADS && i % 100 == 0;
                        Response response = right ? postRight(stranger) : postWrong("wrong-" + i);
                        guessed.incrementAndGet();
                        return response;
                    })
                    .toList());
            long milliseconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);

            assertEquals(
                    List.of(401),
                    responses.stream().map(Response::status).distinct().toList());
            assertEquals(1, responses.stream().distinct().count(), "all guesses must get the same answer");
            int checked = errorsAfterACheck(guesses);
            assertTrue(checked >= MOST && checked < MOST + THREADS, checked + " were checked");
            assertEquals(1, warnings());
            long[] owners = answered.get(1, TimeUnit.MINUTES);
            assertEquals(owners[0], owners[1], "the right secret from elsewhere must always be answered");
            System.out.printf(
                    "Guesses: %d from one address on %d connections in %d ms, %d checked; from elsewhere %d of %d answered%n",
                    guesses, THREADS, milliseconds, checked, owners[1], owners[0]);
        } finally {
            owner.shutdownNow();
        }
    }

    /** @return the number of calls, and how many of them were answered */
    private long[] askUntil(AtomicInteger guessed, int end) {
        long[] calls = new long[2];
        while (guessed.get() < end) {
            calls[0]++;
            calls[1] += postRight(elsewhere).status() == 200 ? 1 : 0;
        }
        return calls;
    }

    private void guess(int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(401, postWrong("wrong-" + i).status());
        }
    }

    private Response postWrong(String secret) {
        return post(stranger, dataProvider.clientId(), secret);
    }

    private Response postRight(SourceAddressClient caller) {
        return post(caller, dataProvider.clientId(), dataProvider.secret());
    }

    private Response post(SourceAddressClient caller, String clientId, String secret) {
        return send(caller, dataProvider.url(), secret(clientId, secret), null);
    }

    private Response basic(String secret) {
        return send(stranger, dataProvider.url(), Map.of(), basicHeader(dataProvider.clientId(), secret));
    }

    private static Response send(
            SourceAddressClient caller, String url, Map<String, String> credentials, String authorization) {
        Map<String, String> form = new HashMap<>(credentials);
        form.put("token", "any-token");
        return caller.post(url, form, authorization);
    }

    private static Map<String, String> secret(String clientId, String secret) {
        return Map.of("client_id", clientId, "client_secret", secret);
    }

    private ClientAssertion assertion(DataProviderClient client) {
        return new ClientAssertion(client.clientId(), federation.url().replace("//localhost:", "//127.0.0.1:"));
    }

    private static String basicHeader(String clientId, String secret) {
        return new ClientSecretBasic(new ClientID(clientId), new Secret(secret)).toHTTPAuthorizationHeader();
    }

    private static <T> List<T> inParallel(List<Callable<T>> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private JsonNode lastError(String clientId) {
        return errors(clientId, 1).get(0);
    }

    /**
     * Counts the errors of Keycloak's own check, which do not have our reason. A call without a guess has another
     * error.
     */
    private int errorsAfterACheck(int max) {
        return (int)
                StreamSupport.stream(errors(dataProvider.clientId(), 2 * max).spliterator(), false)
                        .filter(error -> error.path("error").asText().equals("invalid_client_credentials"))
                        .filter(error -> !error.at("/details/reason").asText().equals(REFUSED))
                        .count();
    }

    private JsonNode errors(String clientId, int max) {
        return federation
                .admin()
                .get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + Http.encode(clientId) + "&max=" + max);
    }

    private long warnings() throws IOException {
        return Files.readAllLines(federation.server().log()).stream()
                .filter(line -> line.contains("different wrong secrets for client " + dataProvider.clientId()))
                .count();
    }
}
