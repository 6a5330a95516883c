package io.github.checktoken.pin;

/** Why a PIN cannot be chosen; each has words of its own that say what to choose instead. */
enum PinRefusal {
    NOT_DIGITS("pinNotDigits"),
    TOO_SHORT("pinTooShort"),
    TOO_LONG("pinTooLong"),
    ONE_DIGIT("pinOneDigit"),
    RUN("pinRun"),
    REPEATED("pinRepeated"),
    BIRTHDATE("pinBirthdate");

    private final String message;

    PinRefusal(String message) {
        this.message = message;
    }

    /** Key of the text; its parameters are the fewest and the most digits. */
    String message() {
        return message;
    }
}
