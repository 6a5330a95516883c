package io.github.checktoken.login.emailcode;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EmailCodeTest {

    private static final String ADDRESS = "camille@example.org";

    @Test
    void isMatchedByItsDigitsAlone() {
        EmailCode code = EmailCode.of("012345", ADDRESS);

        assertTrue(code.matches("012345"));
        assertFalse(code.matches("12345"));
        assertFalse(code.matches("0123456"));
        assertFalse(code.matches(""));
    }

    @Test
    void isNotInWhatIsKept() {
        assertFalse(EmailCode.of("0123456789", ADDRESS).toString().contains("0123456789"));
    }

    @Test
    void equalCodesAreKeptDifferently() {
        assertNotEquals(
                EmailCode.of("012345", ADDRESS).hash(),
                EmailCode.of("012345", ADDRESS).hash());
    }

    @Test
    void isMatchedByNothingOnceItIsVoid() {
        EmailCode code = EmailCode.of("012345", ADDRESS).voided();

        assertTrue(code.isVoid());
        assertFalse(code.matches("012345"));
        assertFalse(code.matches(""));
    }

    @Test
    void randomCodesUseEveryDigitInEveryPlace() {
        for (int place = 0; place < 6; place++) {
            int at = place;
            assertEquals(
                    10,
                    Stream.generate(() -> EmailCode.randomDigits(6).charAt(at))
                            .limit(1000)
                            .distinct()
                            .count());
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "camille@example.org, c•••@example.org",
                "c@example.org, c•••@example.org",
                "\"a@b\"@example.org, \"•••@example.org",
                "𝒸amille@example.org, 𝒸•••@example.org",
                "@example.org, •••",
                "camille, •••"
            })
    void addressIsMaskedButForItsFirstCharacterAndItsDomain(String address, String masked) {
        assertEquals(masked, EmailCodePage.masked(address));
    }
}
