package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.LogSearch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The service provider guide's programs sign a person in with a real server. */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class ServiceProviderExamplesIT {

    private enum Program {
        NODE,
        PYTHON,
        SPRING;

        static final String SPRING_COMMAND = "java -jar target/service-provider.jar";

        RunningExample start(Map<String, String> environment) {
            return switch (this) {
                case NODE -> Example.NODE_LOGIN.start(environment);
                case PYTHON -> Example.PYTHON_LOGIN.start(environment);
                case SPRING -> {
                    Path folder = Example.FOLDER.resolve("spring-service-provider");
                    ExampleRun.of(ExampleRun.SPRING_BUILD, folder).expectSuccess();
                    yield new RunningExample(SPRING_COMMAND, folder, environment);
                }
            };
        }

        /** What it prints when it serves. */
        String started() {
            return switch (this) {
                case NODE -> "(Open http://localhost)";
                case PYTHON -> "(Running on http://localhost)";
                case SPRING -> "(Started ServiceProviderApplication)";
            };
        }
    }

    private final Federation federation;

    ServiceProviderExamplesIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    void programSignsAPersonInAndLearnsHow(Program program) {
        Map<String, String> environment = environment();
        try (RunningExample running = program.start(environment)) {
            running.await(program.started());

            HttpResponse<String> page = signIn(environment);

            assertEquals(200, page.statusCode(), running.printed());
            JsonNode idToken = Http.json(running.await("ID token: (\\{.*})"));
            assertEquals("[\"fc\",\"pwd\"]", idToken.get("amr").toString());
            assertEquals("eidas1", idToken.get("acr").asText());
            assertEquals("Camille Louise Marie", idToken.get("given_name").asText());
            assertEquals("false", running.await("Two factors: (\\w+)").toLowerCase(Locale.ROOT));
            String token = running.await("Access token, only to try with: (\\S+)");
            LogSearch.add("token", token);
            assertEquals(
                    "tax_income", federation.tax().check(token).introspection().get("scope"));
        }
    }

    /** The guide says so. The other programs accept what the metadata of the realm list. */
    @ParameterizedTest
    @EnumSource(Program.class)
    void onlySpringSecurityInsistsOnRs256(Program program) {
        Map<String, String> environment = environment("ES256");
        try (RunningExample running = program.start(environment)) {
            running.await(program.started());

            assertEquals(
                    program == Program.SPRING ? 400 : 200, signIn(environment).statusCode(), running.printed());
        }
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    void realmUrlMayEndWithASlash(Program program) {
        Map<String, String> environment = environment();
        environment.merge("REALM", "/", String::concat);
        try (RunningExample running = program.start(environment)) {
            running.await(program.started());

            assertEquals(200, signIn(environment).statusCode(), running.printed());
        }
    }

    /** Another site may have sent the browser here, with a code of somebody else. */
    @ParameterizedTest
    @EnumSource(Program.class)
    void programRejectsARedirectThatItHasNotAskedFor(Program program) {
        Map<String, String> environment = environment();
        try (RunningExample running = program.start(environment)) {
            running.await(program.started());

            HttpResponse<String> page =
                    Http.send(Http.request(environment.get("REDIRECT_URI") + "?state=any&code=any"));

            assertEquals(400, page.statusCode());
            assertTrue(running.printed().contains("The login failed:"), running.printed());
        }
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    void programSaysThatTheSecretIsWrong(Program program) {
        Map<String, String> environment = environment();
        environment.put("CLIENT_SECRET", "a-wrong-secret");
        try (RunningExample running = program.start(environment)) {
            running.await(program.started());

            assertEquals(400, signIn(environment).statusCode());
            running.await("The login failed:.*(unauthorized_client|invalid_client)");
        }
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    void programSaysWhatIsNotSet(Program program) {
        Map<String, String> environment = environment();
        environment.put("CLIENT_ID", "");
        environment.put("SCOPE", "");
        try (RunningExample running = program.start(environment)) {
            assertEquals("CLIENT_ID, SCOPE", running.await("^Not set: (.*)"));
        }
    }

    @Test
    void nodeSaysThatThePortIsInUse() throws IOException {
        Map<String, String> environment = environment();
        int port = URI.create(environment.get("REDIRECT_URI")).getPort();
        try (ServerSocket other = new ServerSocket();
                RunningExample running = startBeside(other, port, environment)) {
            assertEquals(String.valueOf(port), running.await("^Port (\\d+) is in use"));
        }
    }

    private static RunningExample startBeside(ServerSocket other, int port, Map<String, String> environment)
            throws IOException {
        other.bind(new InetSocketAddress("localhost", port));
        return Program.NODE.start(environment);
    }

    /** Opens the program in a browser, enters the password, and goes where the redirects lead. */
    private HttpResponse<String> signIn(Map<String, String> environment) {
        Browser browser = new Browser(federation.server());
        HttpResponse<String> form = follow(browser, browser.get(origin(environment)));
        return follow(browser, browser.givePassword(form, "camille"));
    }

    private static HttpResponse<String> follow(Browser browser, HttpResponse<String> response) {
        HttpResponse<String> last = response;
        for (Optional<String> location = location(last); location.isPresent(); location = location(last)) {
            last = browser.get(last.uri().resolve(location.get()).toString());
        }
        return last;
    }

    private static Optional<String> location(HttpResponse<String> response) {
        return response.headers().firstValue("Location");
    }

    private static String origin(Map<String, String> environment) {
        return URI.create(environment.get("REDIRECT_URI")).resolve("/").toString();
    }

    /** A new client with a free port of its own, whose ID tokens are signed with RS256, as in the demo realm. */
    private Map<String, String> environment() {
        return environment("RS256");
    }

    private Map<String, String> environment(String algorithm) {
        String clientId = "sp-" + UUID.randomUUID();
        String secret = "secret-of-" + clientId;
        String redirectUri = "http://localhost:" + freePort() + "/sp-town/callback";
        federation
                .admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId", clientId,
                                "secret", secret,
                                "redirectUris", List.of(redirectUri),
                                "attributes",
                                        Map.of(
                                                "id.token.signed.response.alg",
                                                algorithm,
                                                "client.use.lightweight.access.token.enabled",
                                                "true"),
                                "defaultClientScopes", List.of("basic", "acr", "amr"),
                                "optionalClientScopes", List.of("given_name", "family_name", "tax_income")));
        return new HashMap<>(Map.of(
                "REALM", federation.url(),
                "CLIENT_ID", clientId,
                "CLIENT_SECRET", secret,
                "REDIRECT_URI", redirectUri,
                "SCOPE", "openid given_name family_name tax_income"));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
