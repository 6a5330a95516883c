package io.github.checktoken.examples;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.examples.TestKitPlatform.Client;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The data provider guide's program for Spring Security, with a real server. */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class SpringDataProviderIT {

    private static final String COMMAND = "java -jar target/data-provider.jar";
    private static final Path FOLDER = Example.FOLDER.resolve("spring-data-provider");

    private static DataProviderClient dataProvider;
    private static Server real;
    private static TestKitPlatform platform;
    private static Server deceived;

    private final Federation federation;
    private final ServiceProvider town;

    SpringDataProviderIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
    }

    @BeforeAll
    static void start(Federation federation) {
        JavaClient.build();
        ExampleRun.of(ExampleRun.SPRING_BUILD, FOLDER).expectSuccess();
        dataProvider = federation
                .newDataProvider()
                .signedWith("ES256")
                .key(PrivateKeys.rsa())
                .optionalScopes("tax_income")
                .create();
        real = new Server(
                federation.url() + "/", dataProvider.clientId(), dataProvider.secret(), dataProvider.privateKey());
        platform = new TestKitPlatform();
        Client client = Client.withEcKey();
        deceived = new Server(platform.realmUrl(), client.id(), client.secret(), client.key());
    }

    @AfterAll
    static void stop() {
        real.program().close();
        deceived.program().close();
        platform.close();
    }

    @Test
    void callerWithTheScopeGetsTheData() {
        String token = town.signIn("camille", "openid tax_income").accessToken();

        HttpResponse<String> response = real.get(token);

        assertEquals(200, response.statusCode(), response.body());
        assertEquals("Moreau", Http.json(response).get("family_name").asText());
        assertEquals(
                dataProvider.check(token).introspection().get("sub"),
                Http.json(response).get("person").asText());
    }

    @Test
    void callerWithoutATokenIsToldToSendOne() {
        HttpResponse<String> response = real.get(null);

        assertEquals(401, response.statusCode());
        assertTrue(challenge(response).startsWith("Bearer"), challenge(response));
        assertTrue(!challenge(response).contains("error"), challenge(response));
    }

    @Test
    void callerWithATokenThatIsNotActiveIsRefused() {
        assertRefused(401, "invalid_token", real.get("any-token"));
    }

    @Test
    void callerWithoutTheScopeIsRefused() {
        HttpResponse<String> response =
                real.get(town.signIn("camille", "openid").accessToken());

        assertEquals(403, response.statusCode());
        assertEquals("Bearer error=\"insufficient_scope\", scope=\"tax_income\"", challenge(response));
    }

    @Test
    void callerWithATokenOfNoPersonIsRefused() {
        String clientId = "sp-with-service-account";
        federation
                .admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId",
                                clientId,
                                "secret",
                                "secret-of-" + clientId,
                                "serviceAccountsEnabled",
                                true,
                                "standardFlowEnabled",
                                false,
                                "optionalClientScopes",
                                List.of("tax_income")));
        String token = new ServiceProvider(
                        federation.server(), federation.realm(), clientId, "secret-of-" + clientId, "http://localhost/")
                .token(Map.of("grant_type", "client_credentials", "scope", "tax_income"))
                .accessToken();
        assertTrue(dataProvider.check(token).active());

        assertRefused(401, "invalid_token", real.get(token));
    }

    @Test
    void callerWithATokenThatIsBoundToAKeyIsRefused() {
        ServiceProvider bound = federation.town().provingPossession();
        String token = bound.signIn("camille", "openid tax_income").accessToken();
        assertTrue(dataProvider.check(token).active());

        assertRefused(401, "invalid_token", real.get(token));
    }

    /**
     * A 401 would make the service provider throw away a token that may be good. Spring Security says where the metadata of
     * the resource are (RFC 9728).
     */
    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void callerIsToldToComeBackIfTheAnswerIsWrong(String token) {
        assertEquals(
                200,
                deceived.get(TestKitPlatform.RIGHT).statusCode(),
                deceived.program().printed());

        HttpResponse<String> response = deceived.get(token);

        assertEquals(503, response.statusCode());
        assertEquals("10", response.headers().firstValue("Retry-After").orElse(""));
        assertEquals(
                "Bearer error=\"temporarily_unavailable\"",
                challenge(response).replaceFirst(", resource_metadata=\"[^\"]*\"$", ""),
                "our reason is no matter of the service provider");
        assertEquals("", response.body());
        assertEquals(0, platform.callsElsewhere());
    }

    static Stream<String> wrongAnswers() {
        Stream<String> wrong = TestKitCase.all().stream()
                .filter(one -> !one.isRight() && one.client().isEmpty())
                .map(TestKitCase::token);
        return Stream.concat(wrong, Stream.of(TestKitPlatform.STALLED));
    }

    @Test
    void programSaysWhatIsNotSet() {
        ExampleRun run = ExampleRun.of(
                COMMAND, FOLDER, Map.of("REALM", "", "CLIENT_ID", "dp", "CLIENT_SECRET", ""), "", List.of());

        assertEquals("Not set: REALM, CLIENT_SECRET\n", run.errors());
        assertEquals(1, run.status());
    }

    private static void assertRefused(int status, String error, HttpResponse<String> response) {
        assertEquals(status, response.statusCode());
        assertTrue(challenge(response).contains("error=\"" + error + "\""), challenge(response));
    }

    private static String challenge(HttpResponse<String> response) {
        return response.headers().firstValue("WWW-Authenticate").orElse("");
    }

    private record Server(RunningExample program, String port) {

        Server(String realm, String clientId, String secret, JWK key) {
            this(new RunningExample(
                    COMMAND,
                    FOLDER,
                    Map.of(
                            "REALM", realm,
                            "CLIENT_ID", clientId,
                            "CLIENT_SECRET", secret,
                            "PRIVATE_KEYS", PrivateKeys.write(key).toString(),
                            "SERVER_PORT", "0")));
        }

        Server(RunningExample program) {
            this(program, program.await("started on port (\\d+)"));
        }

        HttpResponse<String> get(String token) {
            HttpRequest.Builder request = Http.request("http://localhost:" + port + "/income");
            return Http.send(token == null ? request : request.header("Authorization", "Bearer " + token));
        }
    }
}
