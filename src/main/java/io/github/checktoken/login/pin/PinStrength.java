package io.github.checktoken.login.pin;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks a new PIN: its length, its digits, and whether it is too easy to guess. */
final class PinStrength {

    /** Only ASCII digits are allowed, because users cannot type any others in the same way on every device. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final Pattern DATE = Pattern.compile("([0-9]{2})([0-9]{2})-([0-9]{2})-([0-9]{2})");

    /** Why a PIN is rejected. Each reason has a message that says what to choose instead. */
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

        /** @return the message key; parameters of the message are the minimum and the maximum number of digits */
        String message() {
            return message;
        }
    }

    private PinStrength() {}

    /**
     * @param length the minimum number of digits
     * @param birthdates of the user, {@code yyyy-MM-dd}; values in any other format are ignored
     * @return why the PIN is rejected; empty if it may be used
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

    /** Whether the PIN repeats its first {@code block} digits; the last repetition may be incomplete. */
    private static boolean repeats(String pin, int block) {
        return IntStream.range(block, pin.length()).allMatch(i -> pin.charAt(i) == pin.charAt(i - block));
    }

    /** @param step 1 for ascending, 9 for descending digits; 0 follows 9 and 9 follows 0 */
    private static boolean isRun(String pin, int step) {
        return IntStream.range(1, pin.length()).allMatch(i -> (pin.charAt(i) - pin.charAt(i - 1) + 10) % 10 == step);
    }

    /** Whether the PIN is, contains or is part of the birthdate, in one of the orders in which people write it. */
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
