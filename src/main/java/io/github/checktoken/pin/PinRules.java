package io.github.checktoken.pin;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which PINs are too easily guessed to be chosen. */
final class PinRules {

    /** Digits are the ASCII ones alone: any other would have to be typed alike on every device. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final Pattern DATE = Pattern.compile("([0-9]{2})([0-9]{2})-([0-9]{2})-([0-9]{2})");

    /** Why a PIN cannot be chosen; each has words of its own that say what to choose instead. */
    enum Refusal {
        NOT_DIGITS("pinNotDigits"),
        TOO_SHORT("pinTooShort"),
        TOO_LONG("pinTooLong"),
        ONE_DIGIT("pinOneDigit"),
        RUN("pinRun"),
        REPEATED("pinRepeated"),
        BIRTHDATE("pinBirthdate");

        private final String message;

        Refusal(String message) {
            this.message = message;
        }

        /** Key of the text; its parameters are the fewest and the most digits. */
        String message() {
            return message;
        }
    }

    private PinRules() {}

    /**
     * @param length the fewest digits
     * @param birthdates of the person, {@code yyyy-MM-dd}; anything else is passed over
     * @return why the PIN is refused, or nothing where it may be used
     */
    static Optional<Refusal> refusal(String pin, int length, Stream<String> birthdates) {
        if (!DIGITS.matcher(pin).matches()) {
            return Optional.of(Refusal.NOT_DIGITS);
        }
        if (pin.length() < length) {
            return Optional.of(Refusal.TOO_SHORT);
        }
        if (pin.length() > PinConfig.LONGEST) {
            return Optional.of(Refusal.TOO_LONG);
        }
        if (repeats(pin, 1)) {
            return Optional.of(Refusal.ONE_DIGIT);
        }
        if (isRun(pin, 1) || isRun(pin, 9)) {
            return Optional.of(Refusal.RUN);
        }
        if (IntStream.rangeClosed(2, pin.length() / 2).anyMatch(block -> repeats(pin, block))) {
            return Optional.of(Refusal.REPEATED);
        }
        return birthdates.anyMatch(birthdate -> isLike(pin, birthdate))
                ? Optional.of(Refusal.BIRTHDATE)
                : Optional.empty();
    }

    /** Whether the PIN is its first digits over and over again. */
    private static boolean repeats(String pin, int block) {
        return IntStream.range(block, pin.length()).allMatch(i -> pin.charAt(i) == pin.charAt(i - block));
    }

    /** @param step 1 for up, 9 for down; 0 follows 9 and 9 follows 0 */
    private static boolean isRun(String pin, int step) {
        return IntStream.range(1, pin.length()).allMatch(i -> (pin.charAt(i) - pin.charAt(i - 1) + 10) % 10 == step);
    }

    /** Whether the PIN is, holds or is part of the birthdate in an order in which people write it. */
    private static boolean isLike(String pin, String birthdate) {
        Matcher date = DATE.matcher(birthdate);
        if (!date.matches()) {
            return false;
        }
        String century = date.group(1);
        String year = date.group(2);
        String month = date.group(3);
        String day = date.group(4);
        return Stream.of(century + year + month + day, day + month + century + year, month + day + century + year)
                        .anyMatch(written -> pin.contains(written) || written.contains(pin))
                || Stream.of(year + month + day, day + month + year, month + day + year)
                        .anyMatch(pin::contains);
    }
}
