package io.github.checktoken.text;

/**
 * Makes text from other parties, such as the name of a client, safe for mails and logs: one short line that cannot
 * reorder or hide the text around it, and in which Keycloak does not replace a reference with one of its messages.
 */
public final class SingleLineText {

    /** Counted in Unicode code points. */
    public static final int MAX_CHARACTERS = 100;

    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private SingleLineText() {}

    /**
     * @param text null if there is none
     * @return at most {@value #MAX_CHARACTERS} characters, with an ellipsis if it was cut; empty for null
     */
    public static String of(String text) {
        if (text == null) {
            return "";
        }
        String line = text.codePoints()
                .filter(character -> !isInvisible(character))
                .map(character -> isSpace(character) ? ' ' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .replaceAll(" +", " ")
                // Keycloak would replace ${name} with its message of that name, which may have several lines.
                .replaceAll("\\$+\\{", "{")
                .strip();
        return line.codePointCount(0, line.length()) <= MAX_CHARACTERS
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_CHARACTERS - 1))
                                .stripTrailing() + "…";
    }

    /** Includes line and paragraph separators, and control characters such as tab, NEL and escape. */
    private static boolean isSpace(int character) {
        return Character.isSpaceChar(character) || Character.isISOControl(character);
    }

    /**
     * Format characters change the direction of writing or have no width. The two joiners are kept: some scripts need
     * them.
     */
    private static boolean isInvisible(int character) {
        int type = Character.getType(character);
        return type == Character.SURROGATE
                || type == Character.FORMAT && character != ZERO_WIDTH_NON_JOINER && character != ZERO_WIDTH_JOINER;
    }
}
