package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.examples.TestKitPlatform.Client;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The data provider guide's programs do with each answer of the test kit what it says. The cases for other algorithms need
 * other settings, and are tried with the libraries only.
 */
@Tag("examples")
class WrongAnswersIT {

    private static final Client EC = Client.withEcKey();
    private static final Client RSA = Client.withRsaKey();

    /** openid-client checks the age of no answer. */
    private static final List<String> OF_ANOTHER_TIME =
            List.of("iat-too-old", "iat-in-the-future", "iat-in-milliseconds");

    private static TestKitPlatform platform;
    private static Path ecFile;
    private static Path rsaFile;

    @TempDir
    private static Path settings;

    @BeforeAll
    static void start() throws IOException {
        platform = new TestKitPlatform();
        ecFile = PrivateKeys.write(EC.key());
        rsaFile = PrivateKeys.write(RSA.key());
        // What PHP may use on a web server. On the command line, Debian's PHP has no limit.
        Files.writeString(settings.resolve("php.ini"), "memory_limit = 128M\n");
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    /** Each of them starts a program, so as many run at the same time as there are processors. */
    @ParameterizedTest
    @MethodSource("programs")
    void programDoesWhatTheTestKitSays(Example program) {
        program.folder();
        runAll(
                program,
                EC,
                TestKitCase.all().stream()
                        .filter(one -> one.isFor(EC.id()) && (program.hasOurLibrary() || !one.needsOurLibrary()))
                        .filter(one -> program != Example.NODE_OPENID_CLIENT || !OF_ANOTHER_TIME.contains(one.name())));
    }

    /** As the page says. */
    @Test
    void scriptOfTheKitRunsAllCases() {
        ExampleRun good = runCases("node check.mjs");
        assertTrue(
                good.expectSuccess()
                        .output()
                        .matches(
                                "Right answers accepted: (\\d+) of \\1\\. Wrong answers refused: (\\d+) of \\2, and (\\d+) of \\3 .*\n"),
                good::output);
        ExampleRun careless = runCases("true");
        assertEquals(1, careless.status());
        assertTrue(careless.output().contains("accepted case.wrong-issuer"), careless::output);
    }

    private static ExampleRun runCases(String program) {
        return ExampleRun.of(
                TestKitCase.KIT.resolve("run-cases.sh").toAbsolutePath() + " " + program,
                Example.NODE.folder(),
                Map.of(
                        "REALM", platform.realmUrl(),
                        "CLIENT_ID", RSA.id(),
                        "CLIENT_SECRET", RSA.secret(),
                        "PRIVATE_KEYS", rsaFile.toString()),
                "",
                List.of());
    }

    /** The script keeps the answer in variables of the shell and in arguments of other programs. */
    @ParameterizedTest
    @EnumSource(names = "BASH_JOSE")
    void scriptStopsReadingALargeAnswer(Example program) {
        ExampleRun run = run(program, EC, TestKitPlatform.OF_TEN_MEGABYTES);

        assertTrue(run.errors().contains("Maximum file size exceeded"), run.errors());
    }

    /** The programs of all languages at the same time, because each waits for ten seconds. */
    @Test
    void programGivesUpWhenTheAnswerStalls() throws IOException {
        Map<String, String> collectingGarbage = Map.of("NODE_OPTIONS", "--require " + garbageCollection());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Map<Example, Future<ExampleRun>> runs = programs()
                    .collect(Collectors.toMap(
                            program -> program,
                            program -> threads.submit(
                                    () -> run(program, EC, TestKitPlatform.STALLED, collectingGarbage))));
            assertAll(runs.entrySet().stream()
                    .map(run -> () -> assertRejects(assertDoesNotThrow(
                            () -> run.getValue().get(60, TimeUnit.SECONDS),
                            run.getKey().command()))));
        } finally {
            threads.shutdownNow();
        }
    }

    /** @return a script for Node, which forgets the time-out of {@code fetch} when it collects garbage */
    private static Path garbageCollection() throws IOException {
        return Files.writeString(settings.resolve("gc.cjs"), """
                require('v8').setFlagsFromString('--expose-gc')
                setInterval(require('vm').runInNewContext('gc'), 500).unref()
                """);
    }

    @ParameterizedTest
    @FieldSource("OF_ANOTHER_TIME")
    void openidClientChecksTheAgeOfNoAnswer(String name) {
        run(Example.NODE_OPENID_CLIENT, EC, TestKitCase.token(name)).expectSuccess();
    }

    /** José of Debian 12 has no RSA-OAEP-256. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN|BASH_JOSE")
    void programWithAnRsaKeyDoesWhatTheTestKitSays(Example program) {
        Set<String> ofBoth = Set.of("active", "key-encryption-not-agreed");
        runAll(
                program,
                RSA,
                TestKitCase.all().stream().filter(one -> one.client().equals(RSA.id()) || ofBoth.contains(one.name())));
    }

    private static Stream<Example> programs() {
        return Stream.of(Example.values()).filter(program -> !program.name().endsWith("LOGIN"));
    }

    private static void runAll(Example program, Client client, Stream<TestKitCase> cases) {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Executable> runs = new ArrayList<>();
            for (TestKitCase one : cases.toList()) {
                Future<ExampleRun> run = threads.submit(() -> run(program, client, one.token()));
                runs.add(() -> {
                    try {
                        assertFits(one, run.get());
                    } catch (AssertionError e) {
                        throw new AssertionError(one + ": " + e.getMessage(), e);
                    }
                });
            }
            assertAll(runs);
        } finally {
            threads.shutdownNow();
        }
        assertEquals(0, platform.callsElsewhere(), "It followed a redirect");
    }

    private static void assertFits(TestKitCase one, ExampleRun run) {
        if (!one.isRight()) {
            assertRejects(run);
            return;
        }
        JsonNode token = Http.json(run.expectSuccess().output());
        JsonNode expected = one.expected();
        assertEquals(
                !expected.get("kind").asText().equals("inactive"),
                token.get("active").asBoolean());
        for (JsonNode scope : expected.path("scope")) {
            assertTrue(List.of(token.get("scope").asText().split(" ")).contains(scope.asText()), "scope");
        }
        assertEquals(expected.path("cnf"), token.path("cnf"));
        expected.path("claims")
                .properties()
                .forEach(claim -> assertEquals(claim.getValue(), token.get(claim.getKey())));
    }

    private static ExampleRun run(Example program, Client client, String token) {
        return run(program, client, token, Map.of());
    }

    private static ExampleRun run(Example program, Client client, String token, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "REALM",
                platform.realmUrl(),
                "CLIENT_ID",
                client.id(),
                "CLIENT_SECRET",
                client.secret(),
                "PRIVATE_KEYS",
                (client == EC ? ecFile : rsaFile).toString(),
                "PHPRC",
                settings.toString()));
        environment.putAll(more);
        return program.run(environment, "", token);
    }

    private static void assertRejects(ExampleRun run) {
        assertEquals("", run.output());
        assertEquals(1, run.status(), run.errors());
        assertTrue(!run.errors().isBlank(), "It does not say why");
        assertTrue(
                run.errors().length() < 1_000, () -> "It says " + run.errors().length() + " characters");
    }
}
