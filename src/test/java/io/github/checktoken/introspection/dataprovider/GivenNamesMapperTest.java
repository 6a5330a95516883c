package io.github.checktoken.introspection.dataprovider;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class GivenNamesMapperTest {

    @Test
    void splitsOnSpaces() {
        assertEquals(List.of("Camille", "Louise", "Marie"), GivenNamesMapper.split("Camille Louise Marie"));
    }

    @Test
    void spacesAroundAndBetweenDoNotMakeNames() {
        assertEquals(List.of("Awa", "Fatou"), GivenNamesMapper.split("  Awa   Fatou "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\t", "\n", "\u0085", "\u00A0", "\u1680", "\u2002", "\u2007", "\u2009", "\u2028", "\u202F", "\u205F",
                "\u3000"
            })
    void splitsOnEverySpaceOfUnicode(String space) {
        assertEquals(
                List.of("Awa", "Fatou", "Marie"),
                GivenNamesMapper.split(space + "Awa" + space + "Fatou " + space + "Marie" + space));
    }

    @Test
    void hyphenatedNameIsOne() {
        assertEquals(List.of("Jean-Pierre", "Élie"), GivenNamesMapper.split("Jean-Pierre Élie"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\u00A0", " \u202F \u2007"})
    void noFirstNameGivesNone(String firstName) {
        assertEquals(List.of(), GivenNamesMapper.split(firstName));
    }
}
