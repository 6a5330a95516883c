package io.github.checktoken.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.checktoken.introspection.dataprovider.UnsupportedSetting;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An administrator searches the troubleshooting guide for a text. So it must have every text that the code can give,
 * with … for the parts that differ. The texts are read from the source files.
 */
class TroubleshootingTest {

    private static final Path CODE = Path.of("src/main/java/io/github/checktoken");
    private static final Path MESSAGES = Path.of("src/main/resources/theme-resources/messages");

    /** The places in the code that give an event its reason, each up to the end of the statement. */
    private static final String REASON =
            "(?s)(?:new CheckTokenException|\\binvalid|\\breject|new Denial|new Problem|Details\\.REASON)[(,](.*?);";

    private final String guide = read(Path.of("docs/troubleshooting.md"));
    private final String code = code();

    @Test
    void guideHasEveryErrorOfTheEndpoint() {
        String errors = read("introspection/endpoint/CheckTokenError.java");
        String outage = read("introspection/outage/DatabaseOutage.java");
        assertInGuide(10, find("[A-Z]\\(\\s*\\d{3},\\s*[^,]+,\\s*\"([^\"]+)\"\\)", errors));
        assertInGuide(1, find("new ErrorBody\\(ERROR, \"([^\"]+)\"", outage));
    }

    @Test
    void guideHasEveryReasonOfAnEvent() {
        assertInGuide(25, find(REASON, code).flatMap(statement -> find("\"([^\"]+)\"", statement)));
        String checks =
                read("introspection/token/AudienceCheck.java") + read("introspection/token/SessionlessUserCheck.java");
        assertInGuide(3, find("Optional\\.of\\(\"([^\"]+)\"\\)", checks));
        assertInGuide(1, Stream.of("…" + new UnsupportedSetting("", "").toString()));
    }

    /** The reason of a PIN that was not accepted is the key of the message that the user reads. */
    @Test
    void guideHasEveryReasonWhyAPinWasNotAccepted() {
        assertInGuide(7, find("[A-Z]\\(\"(pin\\w+)\"\\)", read("login/pin/PinStrength.java")));
        assertInGuide(3, find("new FormMessage\\(\\w+, \"(pin\\w+)\"\\)", read("login/pin/NewPinForm.java")));
    }

    @Test
    void guideHasEveryProblemThatAnAdministratorReads() {
        List<String> keys = find("\"(checktoken[A-Z]\\w+)\"", read("introspection/admin/DataProviderCheck.java") + code)
                .distinct()
                .filter(key -> text(key).contains(". ") || text(key).endsWith("."))
                .toList();
        assertInGuide(11, keys.stream());
        assertInGuide(11, keys.stream().map(key -> text(key).replaceAll("\\.( .*)?$", ".")));
    }

    @Test
    void guideHasEveryReasonWhyThereIsNoKey() {
        String loading = read("introspection/keys/JwksRequest.java")
                + read("introspection/keys/ClientJwks.java")
                + read("introspection/keys/JwkSet.java")
                + read("introspection/keys/LoadedKey.java");
        String place = "(?:Optional\\.of\\(|IOException\\(|RejectedAnswerException\\(|null, |failed\\()";
        assertInGuide(11, find(place + "\"([^\"]+)\"", loading));
        String failures = read("introspection/keys/ConnectionFailure.java");
        assertInGuide(14, find("(?:new Reason\\(|orElseGet\\(\\(\\) -> )\\s*\"([^\"]+)\"", failures));
    }

    @Test
    void guideHasEveryWarningOfTheLog() {
        assertInGuide(13, find("logger\\.warnf?\\(\\s*\"([^\"]+)\"", code));
    }

    private void assertInGuide(int expected, Stream<String> found) {
        List<String> texts = found.toList();
        assertTrue(texts.size() >= expected, () -> "fewer than " + expected + " were found: " + texts);
        assertAll(texts.stream().map(text -> () -> {
            String shown = text.replaceAll("%[sd]|\\{\\d}", "…").strip();
            assertTrue(guide.contains(shown), () -> "not in the guide: " + shown);
        }));
    }

    /** @return the English text of this message */
    private static String text(String key) {
        return Stream.of("checktoken_en.properties", "checktoken-admin_en.properties")
                .flatMap(file -> find("(?m)^" + key + "=(.*)$", read(MESSAGES.resolve(file))))
                .findFirst()
                .orElse("");
    }

    private static String code() {
        try (Stream<Path> files = Files.walk(CODE)) {
            return files.filter(Files::isRegularFile)
                    .map(TroubleshootingTest::read)
                    .collect(Collectors.joining());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(String file) {
        return read(CODE.resolve(file));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the first group of each match */
    private static Stream<String> find(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1));
    }
}
