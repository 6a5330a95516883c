package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** OpenAPI Generator makes clients from {@code docs/openapi.yaml} that build and read an answer with unknown members. */
@Tag("examples")
class OpenApiGeneratorsTest {

    private static final String GENERATOR = "org.openapitools:openapi-generator-cli:7.25.0";
    private static final Path FOLDER = Path.of("target", "openapi");

    /** {@code nationality} is identity data that the document does not name; {@code extension} is unknown. */
    private static final String ANSWER = """
            {"token_introspection": {"active": true, "aud": "sp-town", "client_id": "sp-town", "sub": "s", "iat": 1,
            "exp": 2, "jti": "j", "scope": "tax_income", "nationality": "FR"}, "extension": 1,
            "iss": "https://login.example.org/realms/federation/api/v2", "aud": "dp-tax", "iat": 1}
            """;

    private static final String JAVA_PROGRAM = """
            import java.nio.file.*;
            import org.openapitools.client.*;
            import org.openapitools.client.model.*;

            class ReadAnswer {
                public static void main(String[] arguments) throws Exception {
                    var answer = ApiClient.createDefaultObjectMapper()
                            .readValue(Files.readString(Path.of("../answer.json")), AnswerPayload.class)
                            .getTokenIntrospection();
                    System.out.print(answer.getSub() + " " + answer.getAdditionalProperty("nationality"));
                }
            }
            """;

    private static final String PYTHON_PROGRAM = """
            from openapi_client import AnswerPayload
            answer = AnswerPayload.from_json(open("../answer.json").read()).token_introspection
            print(answer.sub, answer.additional_properties["nationality"], end="")
            """;

    @BeforeAll
    static void getGenerator() throws IOException {
        Files.createDirectories(FOLDER);
        Files.writeString(FOLDER.resolve("answer.json"), ANSWER);
        run(
                "mvn -q -B -ntp dependency:copy -Dmdep.stripVersion -Dartifact=" + GENERATOR + " -DoutputDirectory=.",
                FOLDER);
    }

    @Test
    void javaClientReadsAnAnswer() throws IOException {
        Path client = generated("java --library native");
        Files.writeString(client.resolve("ReadAnswer.java"), JAVA_PROGRAM);
        run("mvn -q -B -ntp package -DskipTests dependency:copy-dependencies", client);

        assertEquals("s FR", run("java -cp 'target/classes:target/dependency/*' ReadAnswer.java", client));
    }

    @Test
    void pythonClientReadsAnAnswer() throws IOException {
        Path client = generated("python");
        Files.writeString(client.resolve("read_answer.py"), PYTHON_PROGRAM);
        run("python3 -m venv venv && venv/bin/pip install -q -r requirements.txt", client);

        assertEquals("s FR", run("venv/bin/python read_answer.py", client));
    }

    private static Path generated(String generator) {
        String name = generator.split(" ")[0];
        String output = run(
                "java -jar openapi-generator-cli.jar generate -i ../../docs/openapi.yaml -o " + name + " -g "
                        + generator,
                FOLDER);
        assertFalse(output.contains(" ERROR "), output);
        return FOLDER.resolve(name);
    }

    private static String run(String command, Path folder) {
        return ExampleRun.of(command, folder).expectSuccess().output();
    }
}
