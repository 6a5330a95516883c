package io.github.checktoken.dataprovider;

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

    @Test
    void hyphenatedNameIsOne() {
        assertEquals(List.of("Jean-Pierre", "Élie"), GivenNamesMapper.split("Jean-Pierre Élie"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " "})
    void noFirstNameGivesNone(String firstName) {
        assertEquals(List.of(), GivenNamesMapper.split(firstName));
    }
}
