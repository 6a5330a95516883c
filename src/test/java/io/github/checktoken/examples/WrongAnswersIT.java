package io.github.checktoken.examples;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

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

    @BeforeAll
    static void start() {
        withEc = new FakePlatform(EC);
        withRsa = new FakePlatform(RSA);
        ecFile = PrivateKeys.write(EC);
        rsaFile = PrivateKeys.write(RSA);
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

    static Stream<Arguments> wrongAnswers() {
        return Stream.of(Example.values())
                .filter(program -> !program.name().endsWith("LOGIN"))
                .flatMap(program -> Arrays.stream(AnswerKind.values())
                        .filter(kind -> kind != AnswerKind.RIGHT)
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

    private static ExampleRun run(Example program, FakePlatform platform, Path key, AnswerKind kind) {
        platform.answerWith(kind);
        return program.run(
                Map.of(
                        "REALM",
                        platform.realmUrl(),
                        "CLIENT_ID",
                        FakePlatform.CLIENT_ID,
                        "CLIENT_SECRET",
                        "secret",
                        "PRIVATE_KEYS",
                        key.toString()),
                "",
                "any-token");
    }

    private static void assertRejects(ExampleRun run) {
        assertEquals("", run.output());
        assertEquals(1, run.status());
        assertTrue(!run.errors().isBlank(), "It does not say why");
    }
}
