package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;

/**
 * A case of the test kit.
 *
 * @param token what to send for it
 * @param client the only client for the case, or empty
 * @param expected what a right answer says; missing if the answer is wrong
 */
record TestKitCase(String name, String token, String client, JsonNode expected) {

    static final Path KIT = Path.of("clients", "testkit");

    /** The first needs a program that keeps running. The second has a test of its own, because it takes ten seconds. */
    private static final Set<String> IN_OTHER_TESTS = Set.of("active-new-key", "stalled");

    /** What steps 8 to 11 of the guide look at. Programs without our library print it. */
    private static final Set<String> FOR_THE_CALLER = Set.of(
            "introspection-not-an-object",
            "introspection-as-a-list",
            "active-missing",
            "active-as-text",
            "active-as-text-false",
            "active-as-number",
            "scope-as-a-list",
            "subject-missing",
            "binding-not-an-object",
            "token-expired",
            "other-token",
            "token-is-no-jwt",
            "token-is-words-with-dots",
            "token-without-jti");

    /** What our libraries check, and no step of the guide. */
    private static final Set<String> BEYOND_THE_GUIDE = Set.of(
            "answer-expired",
            "answer-not-yet-valid",
            "content-type-missing-in-the-jwe",
            "compressed",
            "wrong-content-type",
            "no-content-type");

    /** Right answers that the platform never gives, and one that comes only for a second call. */
    private static final Set<String> REFUSED_BY_SOME =
            Set.of("active-list-of-one-audience", "active-content-type-with-parameter", "active-after-503");

    static List<TestKitCase> all() {
        return StreamSupport.stream(read("cases.json").get("cases").spliterator(), false)
                .map(found -> new TestKitCase(
                        found.get("name").asText(),
                        token(found.get("name").asText()),
                        found.path("client").asText(),
                        found.path("expect")))
                .filter(one -> !IN_OTHER_TESTS.contains(one.name))
                .toList();
    }

    /** It has the jti of the answer: our libraries accept an active answer for no other token. */
    static String token(String name) {
        return read("vectors/case." + name + ".json").get("token").asText();
    }

    static JsonNode read(String file) {
        try {
            return Http.JSON.readTree(Files.readString(KIT.resolve(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isRight() {
        return !expected.isMissingNode();
    }

    boolean isFor(String clientId) {
        return client.isEmpty() || client.equals(clientId);
    }

    /** @return whether only a program with our library has to treat it as the test kit says */
    boolean needsOurLibrary() {
        return Stream.of(FOR_THE_CALLER, BEYOND_THE_GUIDE, REFUSED_BY_SOME).anyMatch(names -> names.contains(name));
    }

    @Override
    public String toString() {
        return name;
    }
}
