package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatorConfigModel;

import io.github.checktoken.fuzz.Fuzz;
import io.github.checktoken.fuzz.FuzzTarget;
import io.github.checktoken.fuzz.HostileInput;
import io.github.checktoken.settings.IntegerSetting;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("fuzz")
class PinFuzzTest {

    private static final String BIRTHDATE = "1988-03-14";

    /**
     * Each setting that is not a number causes a warning. The field keeps the logger from being garbage collected,
     * which would reset its level.
     */
    private static final Logger WARNINGS = Logger.getLogger(IntegerSetting.class.getName());

    static {
        WARNINGS.setLevel(Level.OFF);
    }

    @Test
    void pinThatIsAcceptedIsHardToGuess() {
        Fuzz.check(FuzzTarget.PINS, PinFuzzTest::input, input -> {
            String pin = input.get(0);
            if (PinStrength.refusal(pin, PinConfig.SHORTEST, Stream.of(BIRTHDATE, input.get(1)))
                    .isEmpty()) {
                assertTrue(pin.matches("[0-9]{6,16}"), "not six to sixteen digits");
                assertFalse("0123456789012345678901234".contains(pin), "the digits count up");
                assertFalse("9876543210987654321098765".contains(pin), "the digits count down");
                assertTrue(pin.chars().distinct().count() > 1, "all digits are the same");
                for (String written : List.of("19880314", "14031988", "03141988", "880314", "140388", "031488")) {
                    assertFalse(pin.contains(written), "the PIN has the birthdate");
                }
            }
        });
    }

    @Test
    void numberIsWithinItsBoundsWhateverIsSet() {
        Fuzz.check(
                FuzzTarget.NUMBERS,
                hostile -> List.of(
                        hostile.oneIn(2) ? hostile.text("1", "9", "0", "-", "+", " ") : "" + hostile.below(200)),
                input -> {
                    AuthenticatorConfigModel model = new AuthenticatorConfigModel();
                    model.setConfig(Map.of("maxFailures", input.get(0)));
                    int failures = PinConfig.of(model).maxFailures();
                    assertTrue(failures >= 1 && failures <= 100, "out of bounds: " + failures);
                    if (input.get(0).matches("[1-9][0-9]?")) {
                        assertEquals(Integer.parseInt(input.get(0)), failures);
                    }
                });
    }

    private static List<String> input(HostileInput hostile) {
        String digits = hostile.text("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "1988", "88", "03", "14");
        return List.of(
                hostile.oneIn(4) ? digits : digits.replaceAll("[^0-9]", ""),
                hostile.oneIn(2) ? hostile.mutated(BIRTHDATE) : hostile.text("-", "00", "19"));
    }
}
