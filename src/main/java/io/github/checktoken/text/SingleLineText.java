package io.github.checktoken.text;

/**
 * Text that somebody else chose, such as the name of a client, as it may stand in a mail or a log: one line that is not long and
 * that cannot reorder, hide or look up what stands around it.
 */
public final class SingleLineText {

    /** In characters, as Unicode counts them. */
    public static final int MAX_CHARACTERS = 100;

    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private SingleLineText() {}

    /** @param text null for none */
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
                // Keycloak would put the message of that name here, which may have several lines.
                .replaceAll("\\$+\\{", "{")
                .strip();
        return line.codePointCount(0, line.length()) <= MAX_CHARACTERS
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_CHARACTERS - 1))
                                .stripTrailing() + "…";
    }

    /** Line and paragraph separators too; tabs, NEL and escapes are control characters. */
    private static boolean isSpace(int character) {
        return Character.isSpaceChar(character) || Character.isISOControl(character);
    }

    /** Format characters: what turns the direction of writing, and what has no width. Some scripts need the two joiners. */
    private static boolean isInvisible(int character) {
        int type = Character.getType(character);
        return type == Character.SURROGATE
                || type == Character.FORMAT && character != ZERO_WIDTH_NON_JOINER && character != ZERO_WIDTH_JOINER;
    }
}
