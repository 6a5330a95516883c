package io.github.checktoken.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.TextNode;

/** Generates what a hostile caller may send. The same seed gives the same sequence. */
public final class HostileInput {

    /** This word follows each line break and escape sequence. No line of a log may begin with it. */
    static final String FORGED = "FORGED";

    private static final List<String> BREAKS = Stream.of(
                    "\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085", "\u000b", "\f", "\u001b[31m")
            .map(each -> each + FORGED + " ")
            .toList();

    private static final List<String> PIECES = List.of(
            // Characters
            "\u0000",
            "\t",
            " ",
            "\u00a0",
            "\u3000",
            "\u200b",
            "\u202e",
            "\ufeff",
            "\ud800",
            "\udc00",
            "\ud83d\ude00",
            "é",
            "ß",
            "\u0130",
            "e\u0301",
            "\u200d",
            "\uff17",
            "\u0663",
            "\uffff",
            "\udb40\udc41",
            // Characters and words that mean something to some parser
            "${",
            "$",
            "}",
            "{",
            "[",
            "]",
            "\"",
            "'",
            "\\",
            ":",
            ",",
            ";",
            "#",
            "##",
            "%",
            "%00",
            "%0d%0a",
            "%zz",
            "&",
            "=",
            "+",
            "<script>",
            "-->",
            "../",
            "/",
            "@",
            ".",
            "..",
            "*",
            "?",
            "|",
            "\\u0000",
            // Values
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1",
            "2147483648",
            "9223372036854775808",
            "1e999",
            "NaN",
            "00",
            "x",
            "ABC",
            "é@é");

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1",
            "0.5",
            "1e999",
            "2147483648",
            "9223372036854775808",
            "99999999999999999999999",
            "\"\"",
            "\" \"",
            "{}",
            "[]",
            "[null]",
            "[[]]",
            "\"true\"",
            "tru",
            "'x'",
            "\"\\ud800\"",
            "\"\\u0000\"");

    /** Not {@link java.util.Random}, because it begins with similar numbers if the seeds are consecutive. */
    private final SplittableRandom random;

    HostileInput(long seed) {
        random = new SplittableRandom(seed);
    }

    /** @return a number from 0 up to, but not including, the bound */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    public boolean oneIn(int times) {
        return below(times) == 0;
    }

    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[below(values.length)];
    }

    public <T> T oneOf(List<T> values) {
        return values.get(below(values.size()));
    }

    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** @return text of a few pieces, or rarely of many. If there are hints, half of the pieces are hints. */
    public String text(String... hints) {
        int most = oneIn(200) ? 3_000 : oneIn(4) ? 20 : 4;
        return IntStream.range(0, below(most + 1)).mapToObj(i -> piece(hints)).collect(Collectors.joining());
    }

    private String piece(String... hints) {
        if (hints.length > 0 && oneIn(2)) {
            return oneOf(hints);
        }
        return oneIn(4) ? oneOf(BREAKS) : oneOf(PIECES);
    }

    /** @return the text after something was removed, doubled, inserted or replaced, usually once */
    public String mutated(String text) {
        StringBuilder mutated = new StringBuilder(text);
        do {
            int from = below(mutated.length() + 1);
            int to = Math.min(mutated.length(), from + below(oneIn(3) ? 40 : 3));
            switch (below(4)) {
                case 0 -> mutated.delete(from, to);
                case 1 -> mutated.insert(to, mutated.substring(from, to));
                case 2 -> mutated.insert(from, piece());
                default -> mutated.replace(from, to, piece());
            }
        } while (oneIn(3));
        return mutated.toString();
    }

    /** @return text that is usually valid JSON, with these names for most of its members */
    public String json(String... names) {
        return oneIn(500) ? deep() : json(3, names);
    }

    private String json(int depth, String... names) {
        if (depth == 0 || oneIn(3)) {
            return oneIn(3) ? quoted(text(names)) : oneOf(VALUES);
        }
        int members = below(4);
        return oneIn(3)
                ? IntStream.range(0, members)
                        .mapToObj(i -> json(depth - 1, names))
                        .collect(Collectors.joining(",", "[", "]"))
                : IntStream.range(0, members)
                        .mapToObj(i -> quoted(names.length > 0 && !oneIn(5) ? oneOf(names) : text()) + ":"
                                + json(depth - 1, names))
                        .collect(Collectors.joining(",", "{", "}"));
    }

    private String deep() {
        int depth = oneOf(900, 5_000, 50_000);
        return oneIn(2) ? "[".repeat(depth) + "]".repeat(depth) : "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
    }

    /** @return the text as a JSON string */
    public static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
