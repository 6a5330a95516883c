package io.github.checktoken.login.pin;

import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PinStrengthTest {

    private static final String BIRTHDATE = "1988-03-14";

    @ParameterizedTest
    @ValueSource(strings = {"739154", "112358", "123457", "123321", "902134", "1212123", "7391540862739154", "198804"})
    void isAccepted(String pin) {
        assertEquals(Optional.empty(), refusal(pin));
    }

    @ParameterizedTest
    @CsvSource({
        "73915a, NOT_DIGITS",
        "' 739154', NOT_DIGITS",
        "-739154, NOT_DIGITS",
        "７３９１５４, NOT_DIGITS",
        "٧٣٩١٥٤, NOT_DIGITS",
        "'', NOT_DIGITS",
        "73915, TOO_SHORT",
        "73915408627391540, TOO_LONG",
        "000000, ONE_DIGIT",
        "77777777, ONE_DIGIT",
        "123456, RUN",
        "0123456789, RUN",
        "890123, RUN",
        "987654, RUN",
        "210987, RUN",
        "121212, REPEATED",
        "1313131, REPEATED",
        "123123, REPEATED",
        "73917391, REPEATED",
        "739154739154, REPEATED"
    })
    void isRefused(String pin, PinStrength.Refusal reason) {
        assertEquals(Optional.of(reason), refusal(pin));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "19880314",
                "14031988",
                "03141988",
                "880314",
                "140388",
                "031488",
                "031988",
                "198803",
                "140319",
                "140388550",
                "5188031488"
            })
    void birthdateIsRefusedInEveryOrderAndAsAPart(String pin) {
        assertEquals(Optional.of(PinStrength.Refusal.BIRTHDATE), refusal(pin));
    }

    @Test
    void birthdateOfSomebodyElseIsNoReason() {
        assertEquals(Optional.empty(), PinStrength.refusal("880314", 6, Stream.of("1951-00-00")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "14/03/1988", "1988-3-14", "soon"})
    void whatIsNoDateIsPassedOver(String birthdate) {
        assertEquals(Optional.empty(), PinStrength.refusal("880314", 6, Stream.of(birthdate)));
    }

    @Test
    void birthdateWithoutMonthAndDayIsRefusedAsItIsWritten() {
        assertEquals(
                Optional.of(PinStrength.Refusal.BIRTHDATE), PinStrength.refusal("510000", 6, Stream.of("1951-00-00")));
    }

    @Test
    void lengthIsTheFewestDigits() {
        assertEquals(Optional.of(PinStrength.Refusal.TOO_SHORT), PinStrength.refusal("7391540", 8, Stream.of()));
        assertEquals(Optional.empty(), PinStrength.refusal("73915408", 8, Stream.of()));
    }

    private static Optional<PinStrength.Refusal> refusal(String pin) {
        return PinStrength.refusal(pin, 6, Stream.of(BIRTHDATE));
    }
}
