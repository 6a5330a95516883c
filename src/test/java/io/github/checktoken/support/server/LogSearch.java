package io.github.checktoken.support.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The values that the tests send to the server or receive from it and that must not be in its log: secrets, passwords,
 * PINs, codes, tokens, answers and identity data. When the server has stopped, its whole log is searched for them.
 *
 * <p>Values with fewer than {@value #SHORTEST} characters and words of only lower-case letters are not searched for,
 * because a log has them for other reasons. A short value counts only if it stands alone, and not if it is part of a
 * longer number or id. For a long value, two parts are searched for, so that half a token is found too.
 */
public final class LogSearch {

    private static final int SHORTEST = 6;
    private static final int LONG = 100;
    private static final int PART = 40;

    /** The number of characters by which a value is looked up. Each takes ten bits. */
    private static final int WINDOW = SHORTEST;

    private static final long MASK = (1L << 10 * WINDOW) - 1;

    private static final int MOST_FOUND = 20;

    /** What each value is, by the value to search for. */
    private static final Map<String, String> VALUES = new ConcurrentHashMap<>();

    private static final TestTimes TESTS = new TestTimes();

    private LogSearch() {}

    /**
     * @param what what the value is, for the message if it is found
     * @param value null is ignored
     */
    public static void add(String what, String value) {
        add(VALUES, what, value);
    }

    static void add(Map<String, String> values, String what, String value) {
        if (value == null || value.length() < SHORTEST || value.matches("[a-z]+")) {
            return;
        }
        if (value.length() <= LONG) {
            values.put(value, what);
        } else {
            int middle = value.length() / 2;
            values.put(value.substring(middle - PART, middle), what);
            values.put(value.substring(value.length() - PART), what);
        }
    }

    /** Notes that a test has ended, to name it if a line of its time has a value. */
    static void ended(String test, LocalDateTime begin) {
        TESTS.add(test, begin, LocalDateTime.now());
    }

    /** @return the lines that contain one of the values, each with what the value is, and the tests that ran then */
    public static List<String> search(Path log) throws IOException {
        return search(log, VALUES, TESTS);
    }

    static List<String> search(Path log, Map<String, String> values, TestTimes tests) throws IOException {
        Map<Long, List<String>> byStart = new HashMap<>();
        BitSet starts = new BitSet();
        for (String value : values.keySet()) {
            long start = 0;
            for (int i = 0; i < WINDOW; i++) {
                start = next(start, value.charAt(i));
            }
            byStart.computeIfAbsent(start, key -> new ArrayList<>()).add(value);
            starts.set(slot(start));
        }
        List<String> found = new ArrayList<>();
        String timed = "";
        try (BufferedReader lines = Files.newBufferedReader(log)) {
            for (String line = lines.readLine(); line != null && found.size() < MOST_FOUND; line = lines.readLine()) {
                if (TestTimes.isTimed(line)) {
                    timed = line;
                }
                // Keycloak's form reader writes into the log what it cannot decode.
                String held = line.contains("Failed to decode URL") ? null : held(line, starts, byStart);
                if (held != null) {
                    // Keycloak's state for a provider and the middle of a token may have the same address, encoded.
                    held = held(line.replaceAll("[?&]state=[^ &]*", ""), starts, byStart);
                }
                if (held != null) {
                    List<String> running = tests.testsOf(timed);
                    found.add("%s%s: %s".formatted(values.get(held), running.isEmpty() ? "" : " of " + running, line));
                }
            }
        }
        return found;
    }

    private static String held(String line, BitSet starts, Map<Long, List<String>> byStart) {
        long window = 0;
        for (int end = 1; end <= line.length(); end++) {
            window = next(window, line.charAt(end - 1));
            if (end >= WINDOW && starts.get(slot(window))) {
                for (String value : byStart.getOrDefault(window, List.of())) {
                    int from = end - WINDOW;
                    if (line.startsWith(value, from) && standsAlone(line, from, value)) {
                        return value;
                    }
                }
            }
        }
        return null;
    }

    private static boolean standsAlone(String line, int from, String value) {
        int to = from + value.length();
        return value.length() >= PART
                || (from == 0 || !isPartOfAnId(line.charAt(from - 1)))
                        && (to == line.length() || !isPartOfAnId(line.charAt(to)));
    }

    private static boolean isPartOfAnId(char character) {
        return Character.isLetterOrDigit(character) || character == '-' || character == '_';
    }

    private static long next(long window, char character) {
        return (window << 10 | character & 0x3ff) & MASK;
    }

    private static int slot(long window) {
        return (int) (window * 0x9e3779b97f4a7c15L >>> 42);
    }
}
