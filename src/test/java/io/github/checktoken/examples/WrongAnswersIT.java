package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The data provider guide's programs reject each answer that the guide says to reject. */
@Tag("examples")
class WrongAnswersIT {

    private static final JWK EC = PrivateKeys.ec();
    private static final JWK RSA = PrivateKeys.rsa();

    /** The guide says that openid-client checks the age of no answer. */
    private static final Set<AnswerKind> TOO_MUCH_FOR_OPENID_CLIENT = Set.of(AnswerKind.OLD, AnswerKind.OF_THE_FUTURE);

    private static FakePlatform withEc;
    private static FakePlatform withRsa;
    private static Path ecFile;
    private static Path rsaFile;

    @TempDir
    private static Path settings;

    @BeforeAll
    static void start() throws IOException {
        withEc = new FakePlatform(EC);
        withRsa = new FakePlatform(RSA);
        ecFile = PrivateKeys.write(EC);
        rsaFile = PrivateKeys.write(RSA);
        // What PHP may use on a web server. On the command line, Debian's PHP has no limit.
        Files.writeString(settings.resolve("php.ini"), "memory_limit = 128M\n");
    }

    @AfterAll
    static void stop() {
        withEc.close();
        withRsa.close();
    }

    /** Otherwise each answer could be rejected because of something else. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programAcceptsTheRightAnswer(Example program) {
        ExampleRun run = run(program, withEc, ecFile, AnswerKind.RIGHT).expectSuccess();

        assertEquals("person", Http.json(run.output()).get("sub").asText());
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void programRejectsTheWrongAnswer(Example program, AnswerKind kind) {
        assertRejects(run(program, withEc, ecFile, kind));
    }

    /** The script keeps the answer in variables of the shell and in arguments of other programs. */
    @ParameterizedTest
    @EnumSource(names = "BASH_JOSE")
    void scriptStopsReadingALargeAnswer(Example program) {
        ExampleRun run = run(program, withEc, ecFile, AnswerKind.OF_TEN_MEGABYTES);

        assertTrue(run.errors().contains("Maximum file size exceeded"), run.errors());
    }

    /** The programs of all languages at the same time, because each waits for ten seconds. */
    @Test
    void programGivesUpWhenTheAnswerStalls() throws IOException {
        Map<String, String> collectingGarbage = Map.of("NODE_OPTIONS", "--require " + garbageCollection());
        withEc.answerWith(AnswerKind.STALLED);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Map<Example, Future<ExampleRun>> runs = programs()
                    .collect(Collectors.toMap(
                            program -> program,
                            program -> threads.submit(() -> run(program, withEc, ecFile, collectingGarbage))));
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

    static Stream<Arguments> wrongAnswers() {
        return programs()
                .flatMap(program -> Arrays.stream(AnswerKind.values())
                        .filter(kind -> kind != AnswerKind.RIGHT && kind != AnswerKind.STALLED)
                        .filter(kind ->
                                program != Example.NODE_OPENID_CLIENT || !TOO_MUCH_FOR_OPENID_CLIENT.contains(kind))
                        .map(kind -> Arguments.of(program, kind)));
    }

    @ParameterizedTest
    @EnumSource(names = {"OLD", "OF_THE_FUTURE"})
    void openidClientChecksTheAgeOfNoAnswer(AnswerKind kind) {
        run(Example.NODE_OPENID_CLIENT, withEc, ecFile, kind).expectSuccess();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN|BASH_JOSE")
    void programRejectsAnotherAlgorithmForItsRsaKey(Example program) {
        run(program, withRsa, rsaFile, AnswerKind.RIGHT).expectSuccess();

        assertRejects(run(program, withRsa, rsaFile, AnswerKind.KEY_ENCRYPTED_WITH_ANOTHER_ALGORITHM));
    }

    private static Stream<Example> programs() {
        return Stream.of(Example.values()).filter(program -> !program.name().endsWith("LOGIN"));
    }

    private static ExampleRun run(Example program, FakePlatform platform, Path key, AnswerKind kind) {
        platform.answerWith(kind);
        return run(program, platform, key, Map.of());
    }

    private static ExampleRun run(Example program, FakePlatform platform, Path key, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "REALM",
                platform.realmUrl(),
                "CLIENT_ID",
                FakePlatform.CLIENT_ID,
                "CLIENT_SECRET",
                "secret",
                "PRIVATE_KEYS",
                key.toString(),
                "PHPRC",
                settings.toString()));
        environment.putAll(more);
        return program.run(environment, "", "any-token");
    }

    private static void assertRejects(ExampleRun run) {
        assertEquals("", run.output());
        assertEquals(1, run.status(), run.errors());
        assertTrue(!run.errors().isBlank(), "It does not say why");
        assertTrue(
                run.errors().length() < 1_000, () -> "It says " + run.errors().length() + " characters");
        assertEquals(0, withEc.callsElsewhere() + withRsa.callsElsewhere(), "It followed a redirect");
    }
}
