package io.github.checktoken.chaos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What happened in this run. */
final class Report {

    /** How many of each kind are told in full. */
    private static final int TOLD = 4;

    private final long begin = System.nanoTime();
    private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> violations = new ConcurrentSkipListMap<>();

    void violation(String kind, String detail) {
        LongAdder number = violations.computeIfAbsent(kind, key -> new LongAdder());
        number.increment();
        if (number.sum() <= TOLD) {
            System.out.printf("VIOLATION after %.1f s: %s: %s%n", (System.nanoTime() - begin) / 1e9, kind, detail);
        }
    }

    /** @return how many there are of each kind */
    Map<String, LongAdder> violations() {
        return violations;
    }

    /** @param causes what was broken, for an outcome that is only right then */
    void outcome(String what, String outcome, List<Outage> causes) {
        String broken =
                causes.stream().map(Outage::toString).distinct().sorted().collect(Collectors.joining(", "));
        outcomes.computeIfAbsent(
                        "%s: %s%s".formatted(what, outcome, broken.isEmpty() ? "" : " (" + broken + ")"),
                        key -> new LongAdder())
                .increment();
    }

    String text(Outages outages) {
        StringBuilder text = new StringBuilder("Outcomes:\n");
        outcomes.forEach((outcome, number) -> text.append("%8d %s%n".formatted(number.sum(), outcome)));
        text.append("The last call that failed, after the end of an outage:\n");
        outages.recoveryMillis()
                .forEach((outage, millis) -> text.append("%8d %s: p50 %d ms, most %d ms%n"
                        .formatted(
                                millis.size(), outage, millis.get(millis.size() / 2), millis.get(millis.size() - 1))));
        return text.toString();
    }
}
