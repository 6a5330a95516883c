package io.github.checktoken.login.emailcode;

import java.util.List;

import io.github.checktoken.fuzz.Fuzz;
import io.github.checktoken.fuzz.FuzzTarget;
import io.github.checktoken.text.SingleLineText;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("fuzz")
class EmailCodeFuzzTest {

    @Test
    void nameInAMailIsOneShortLineOfVisibleCharacters() {
        Fuzz.check(
                FuzzTarget.MAIL_TEXT,
                hostile -> List.of(hostile.text("Post", " ", "x", "${advice}", "$${", "💶")),
                input -> {
                    String line = SingleLineText.of(input.get(0));
                    assertTrue(line.codePointCount(0, line.length()) <= SingleLineText.MAX_CHARACTERS, "too long");
                    assertFalse(line.contains("${"), "Keycloak would replace this with a message");
                    assertEquals(line.strip(), line);
                    line.codePoints().forEach(EmailCodeFuzzTest::assertVisible);
                    assertEquals(line, SingleLineText.of(line), "the second time must change nothing");
                });
    }

    @Test
    void maskedAddressTellsTheFirstCharacterAndTheDomain() {
        Fuzz.check(
                FuzzTarget.ADDRESSES,
                hostile -> List.of(hostile.text("camille", "@", "example.org", "\"", ".", "@example.org")),
                input -> {
                    String address = input.get(0);
                    String masked = EmailCodePage.masked(address);
                    int dots = masked.indexOf("•••");
                    assertTrue(masked.codePointCount(0, dots) <= 1 && address.startsWith(masked.substring(0, dots)));
                    String domain = masked.substring(dots + 3);
                    assertTrue(
                            domain.isEmpty() || domain.lastIndexOf('@') == 0 && address.endsWith(domain),
                            "not the domain");
                });
    }

    @Test
    void codeIsMatchedByItsDigitsAlone() {
        EmailCode code = EmailCode.of("012345", "camille@example.org");
        Fuzz.check(
                FuzzTarget.CODES,
                hostile -> List.of(hostile.oneIn(2) ? hostile.mutated("012345") : hostile.text("012345", "0", "１")),
                input -> assertEquals(input.get(0).equals("012345"), code.matches(input.get(0))));
    }

    private static void assertVisible(int character) {
        int type = Character.getType(character);
        boolean joins = character == 0x200c || character == 0x200d;
        assertTrue(
                type != Character.CONTROL
                        && type != Character.LINE_SEPARATOR
                        && type != Character.PARAGRAPH_SEPARATOR
                        && type != Character.SURROGATE
                        && (type != Character.FORMAT || joins),
                () -> "character %x is not visible".formatted(character));
    }
}
