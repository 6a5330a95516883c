package io.github.checktoken.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class SingleLineTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Post office",
                "Crédit agricole",
                "بنك مصر",
                "みずほ銀行",
                "👩‍🚀 Space",
                "O’Neil & Sons <London>",
                "A$AP {1}"
            })
    void nameStaysAsItIs(String name) {
        assertEquals(name, SingleLineText.of(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\nb",
                "a\r\nb",
                "a\tb",
                "a\u0085b",
                "a\u2028b",
                "a\u2029b",
                "a\u000bb",
                "a\u00a0b",
                "a\u0000b",
                "a\u001bb",
                " a \n\n b ",
                "a\u3000b",
                "a\u009bb"
            })
    void whateverSeparatesIsOneSpace(String name) {
        assertEquals("a b", SingleLineText.of(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u202eb",
                "a\u202ab",
                "a\u2066b\u2069",
                "a\u200fb",
                "a\u061cb",
                "a\u200bb",
                "a\u00adb",
                "\ufeffab",
                "a\ud800b",
                "a\udb40\udc41b"
            })
    void whatIsNotSeenIsLeftOut(String name) {
        assertEquals("ab", SingleLineText.of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"${advice}", "$${advice}", "$\u202e{advice}"})
    void messageOfKeycloakIsNotLookedUp(String name) {
        assertEquals("{advice}", SingleLineText.of(name));
    }

    @Test
    void longNameIsCutBetweenCharacters() {
        assertEquals("x".repeat(100), SingleLineText.of("x".repeat(100)));
        assertEquals("x".repeat(99) + "…", SingleLineText.of("x".repeat(101)));
        assertEquals("😀".repeat(99) + "…", SingleLineText.of("😀".repeat(101)));
        assertEquals("x".repeat(98) + "…", SingleLineText.of("x".repeat(98) + " yy yy"));
    }

    @Test
    void nothingIsTheEmptyText() {
        assertEquals("", SingleLineText.of(null));
        assertEquals("", SingleLineText.of(" \n\u200b"));
    }
}
