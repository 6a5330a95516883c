package io.github.checktoken.introspection.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The scripts of the page for administrators. */
class DataProvidersPageTest {

    private static final Path FOLDER = Path.of("src/main/resources/io/github/checktoken/introspection/admin/page");

    private static final Pattern MESSAGE =
            Pattern.compile("(?s)\\n  (\\w+): \\[\\s*'((?:[^'])*)',\\s*'((?:[^'])*)',?\\s*],");

    private static final Pattern USED = Pattern.compile("\\b(?:text|section|sorry|head|say)\\('(\\w+)'");

    @Test
    void everyTextThatIsUsedIsThereInEnglishAndFrench() throws IOException {
        Map<String, List<String>> messages = messages();
        Set<String> used = new TreeSet<>();
        for (String script : scripts()) {
            USED.matcher(script).results().map(match -> match.group(1)).forEach(used::add);
        }
        assertTrue(used.size() > 40, used::toString);
        used.removeAll(messages.keySet());
        assertEquals(Set.of(), used);
        // Every entry was read, so each has two texts.
        assertEquals(
                Files.readString(FOLDER.resolve("messages.js"))
                        .lines()
                        .filter(line -> line.matches("  \\w+: \\[.*"))
                        .count(),
                messages.size());
    }

    @Test
    void translationHasTheSamePlaceholders() throws IOException {
        messages().forEach((key, texts) -> assertEquals(placeholders(texts.get(0)), placeholders(texts.get(1)), key));
    }

    /** Otherwise a name from the server could become markup, or a token could stay in the browser. */
    @Test
    void scriptsMakeNoMarkupOfTextAndKeepNoToken() throws IOException {
        Pattern forbidden = Pattern.compile(
                "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|Function\\(|localStorage|\\.cookie");
        for (String script : scripts()) {
            assertEquals(
                    List.of(),
                    forbidden.matcher(script).results().map(MatchResult::group).toList());
        }
    }

    private static Set<String> placeholders(String text) {
        return new TreeSet<>(Pattern.compile("\\{\\d}")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList());
    }

    private static Map<String, List<String>> messages() throws IOException {
        Map<String, List<String>> messages = new TreeMap<>();
        MESSAGE.matcher(Files.readString(FOLDER.resolve("messages.js")))
                .results()
                .forEach(match -> messages.put(match.group(1), List.of(match.group(2), match.group(3))));
        return messages;
    }

    private static List<String> scripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Path> scripts =
                    files.filter(file -> file.toString().endsWith(".js")).toList();
            List<String> texts = new ArrayList<>();
            for (Path script : scripts) {
                texts.add(Files.readString(script));
            }
            return texts;
        }
    }
}
