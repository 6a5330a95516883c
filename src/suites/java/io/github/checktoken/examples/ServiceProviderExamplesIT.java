package io.github.checktoken.examples;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
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
        Map<String, String> environment = ProgramSettings.register(federation, "ES256");
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
        ProgramBrowser browser = new ProgramBrowser(federation.server());
        return browser.givePassword(browser.open(environment), "camille");
    }

    /** ID tokens are signed with RS256, as in the demo realm. */
    private Map<String, String> environment() {
        return ProgramSettings.register(federation, "RS256");
    }
}
