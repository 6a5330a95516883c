package io.github.checktoken.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.nimbusds.jose.util.JSONObjectUtils;

/** Writes an answer of each case at one time into files, for tests that start no server. */
final class VectorWriter {

    private static final Addresses ADDRESSES =
            new Addresses("https://platform.example", "/realms/demo", "https://elsewhere.example");

    private final TestKit kit = new TestKit();
    private final AnswerMaker answers = new AnswerMaker(kit, ADDRESSES);
    private final Path folder;
    private final Instant time;

    VectorWriter(Path folder, Instant time) {
        this.folder = folder;
        this.time = time;
    }

    void write() throws IOException {
        Files.createDirectories(folder);
        write("metadata.json", MockPlatform.metadata(ADDRESSES));
        write("jwks.json", answers.jwks());
        for (TestCase testCase : kit.cases()) {
            write("case." + testCase + ".json", vector(testCase));
        }
        write("jwks-after-the-change.json", answers.jwks());
    }

    private Map<String, Object> vector(TestCase testCase) {
        TestClient client = kit.clientOf(testCase);
        Map<String, Object> vector = new LinkedHashMap<>();
        for (String member : List.of("name", "title", "section", "level", "before", "expect", "reason", "or", "says")) {
            if (testCase.members().containsKey(member)) {
                vector.put(member, testCase.members().get(member));
            }
        }
        vector.put("time", time.toString());
        vector.put("issuer", ADDRESSES.issuer());
        vector.put("client_id", client.clientId());
        vector.put("token", testCase.token());
        vector.put("jwks", testCase.mutation().equals("key-rolled") ? "jwks-after-the-change.json" : "jwks.json");
        MockAnswer first = answers.firstAnswer(testCase);
        if (first != null) {
            vector.put("first", response(first));
        }
        vector.put("response", response(answers.answer(testCase, client, time.getEpochSecond())));
        return vector;
    }

    private static Map<String, Object> response(MockAnswer answer) {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("status", answer.status());
        response.put("headers", answer.headers());
        response.put("body", answer.body());
        if (answer.stall()) {
            response.put("stall", true);
        }
        return response;
    }

    private void write(String file, Map<String, Object> content) throws IOException {
        Files.writeString(folder.resolve(file), indented(content, "") + "\n");
    }

    /** Only the outermost levels have lines of their own. */
    private static String indented(Map<String, Object> object, String indent) {
        StringBuilder text = new StringBuilder("{");
        object.forEach((name, value) -> text.append(text.length() == 1 ? "\n" : ",\n")
                .append(indent)
                .append("  ")
                .append(json(name))
                .append(": ")
                .append(
                        name.equals("response") || name.equals("first")
                                ? indented(TestKit.JSON.object(value), indent + "  ")
                                : json(value)));
        return text.append("\n").append(indent).append("}").toString();
    }

    private static String json(Object value) {
        String list = JSONObjectUtils.toJSONString(Map.of("", value));
        return list.substring(4, list.length() - 1);
    }
}
