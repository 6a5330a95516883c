package io.github.checktoken.support.server;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** When each test ran, so that a line of the server's log leads to the tests that may have caused it. */
final class TestTimes {

    private static final String FORMAT = "yyyy-MM-dd HH:mm:ss,SSS";
    private static final DateTimeFormatter FORMATTER = DateTimeFormatter.ofPattern(FORMAT);
    private static final Pattern TIME = Pattern.compile(FORMAT.replaceAll("\\w", "\\\\d"));

    /** The server still writes what a test has begun, such as the sending of a mail. */
    private static final int SECONDS_AFTER_THE_TEST = 1;

    private record Run(String test, LocalDateTime begin, LocalDateTime end) {

        boolean includes(LocalDateTime time) {
            return !time.isBefore(begin) && time.isBefore(end.plusSeconds(SECONDS_AFTER_THE_TEST));
        }
    }

    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();

    void add(String test, LocalDateTime begin, LocalDateTime end) {
        runs.add(new Run(test, begin, end));
    }

    /** Whether the line begins with a time, and not in the middle of a message. */
    static boolean isTimed(String line) {
        return TIME.matcher(line).lookingAt();
    }

    /** @return the tests that ran when the server wrote this line */
    List<String> testsOf(String line) {
        if (!isTimed(line)) {
            return List.of();
        }
        LocalDateTime time = LocalDateTime.parse(line.substring(0, FORMAT.length()), FORMATTER);
        return runs.stream().filter(run -> run.includes(time)).map(Run::test).toList();
    }
}
