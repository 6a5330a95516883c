package io.github.checktoken.chaos;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the server's log: at most one line of ours per cause and minute, and no stack trace. A host that gives no keys is
 * one cause, but has a line for each of its data providers: how many come within a minute is told and not judged, because
 * an operator reads there whose calls fail.
 */
final class LogJudge implements Consumer<String> {

    private static final Pattern LINE = Pattern.compile("[0-9-]+ [0-9:,]+ ([A-Z]+) +\\[([^]]+)] \\([^)]*\\) (.*)");
    private static final Pattern DATA_PROVIDER = Pattern.compile("data provider '([^']*)'");
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** The lines are read a moment after they were written. */
    private static final long MARGIN = TimeUnit.SECONDS.toNanos(1);

    private final Report report;
    private final Map<String, Long> lastByCause = new HashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    /** The hosts of data providers, by client_id. */
    private final Map<String, Neighbour> hosts = new ConcurrentHashMap<>();

    /** The times of the lines about each host within the last minute. */
    private final Map<String, Deque<Long>> ofHosts = new HashMap<>();

    private int mostOfAHost;
    private boolean isOurs;

    LogJudge(Report report) {
        this.report = report;
    }

    /** Says whose keys are at which host. */
    void expect(String clientId, Neighbour host) {
        hosts.put(clientId, host);
    }

    @Override
    public synchronized void accept(String line) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
            isOurs = matcher.group(2).startsWith("io.github.checktoken");
            count(isOurs ? "ours" : "Keycloak's " + matcher.group(1));
            if (isOurs) {
                ours(matcher.group(3));
            }
        } else if (line.startsWith("\tat ") && isOurs) {
            report.violation("a stack trace of ours", line);
        }
    }

    synchronized String text() {
        return "The most lines about one host of keys with one reason within a minute: " + mostOfAHost
                + "\nLines in the log:"
                + counts.entrySet().stream()
                        .map(entry -> "\n%8d %s".formatted(entry.getValue(), entry.getKey()))
                        .collect(Collectors.joining());
    }

    private void ours(String message) {
        String cause = message.replaceAll("after \\d+ loads", "after # loads");
        count("  " + message.replaceAll("[a-z-]*\\d[^ ]*", "#"));
        long now = System.nanoTime();
        Long last = lastByCause.put(cause, now);
        if (last != null && now - last < MINUTE - MARGIN) {
            report.violation("two log lines of ours", "within %.1f s: %s".formatted((now - last) / 1e9, message));
        }
        Matcher provider = DATA_PROVIDER.matcher(cause);
        if (provider.find() && hosts.containsKey(provider.group(1))) {
            ofHost(provider.replaceFirst("" + hosts.get(provider.group(1))), now);
        }
    }

    private void ofHost(String cause, long now) {
        Deque<Long> times = ofHosts.computeIfAbsent(cause, key -> new ArrayDeque<>());
        times.add(now);
        while (now - times.peek() > MINUTE) {
            times.remove();
        }
        mostOfAHost = Math.max(mostOfAHost, times.size());
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }
}
