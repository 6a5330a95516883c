package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Two guides are in English and in French. Whoever changes one language has to change the other. */
class TranslatedGuidesTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+(?= )");
    private static final Pattern CODE = Pattern.compile("`[^`]+`");

    @ParameterizedTest
    @ValueSource(strings = {"data-provider", "service-provider"})
    void eachLanguageBeginsWithALinkToTheOther(String guide) throws IOException {
        assertEquals(
                "[Français](" + guide + ".fr.md)",
                english(guide).lines().findFirst().orElse(""));
        assertEquals(
                "[English](" + guide + ".md)", french(guide).lines().findFirst().orElse(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"data-provider", "service-provider"})
    void bothLanguagesHaveTheSameHeadingsAndBlocks(String guide) throws IOException {
        assertSame(found(BLOCK, english(guide)), found(BLOCK, french(guide)));
        assertSame(found(HEADING, text(english(guide))), found(HEADING, text(french(guide))));
    }

    /** Words differ in order, but not what is to be typed, sent or expected. */
    @ParameterizedTest
    @ValueSource(strings = {"data-provider", "service-provider"})
    void bothLanguagesNameTheSameValues(String guide) throws IOException {
        String french = text(french(guide)).replace("{URL du realm}", "{realm URL}");
        assertSame(
                found(CODE, text(english(guide))).stream().sorted().toList(),
                found(CODE, french).stream().sorted().toList());
    }

    private static void assertSame(List<String> english, List<String> french) {
        assertFalse(english.isEmpty());
        assertEquals(String.join("\n", english), String.join("\n", french));
    }

    private static List<String> found(Pattern pattern, String page) {
        return pattern.matcher(page)
                .results()
                .map(match -> match.group().replaceAll("(?<=\\S)\\s*\\n\\s*(?=\\S)", " "))
                .toList();
    }

    /** @return the page without its blocks */
    private static String text(String page) {
        return BLOCK.matcher(page).replaceAll("");
    }

    private static String english(String guide) throws IOException {
        return Files.readString(Path.of("docs", guide + ".md"));
    }

    private static String french(String guide) throws IOException {
        return Files.readString(Path.of("docs", guide + ".fr.md"));
    }
}
