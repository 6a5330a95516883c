package io.github.checktoken.chaos;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Everything that was broken in this run. */
final class Outages {

    private static final long RECENT = TimeUnit.SECONDS.toNanos(60);

    private final List<Outage> all = new CopyOnWriteArrayList<>();

    Outage begin(Neighbour neighbour, String manner) {
        Outage outage = new Outage(neighbour, manner);
        all.add(outage);
        return outage;
    }

    /** What may be why a call failed that has been answered now. */
    List<Outage> causes(Set<Neighbour> needs, long asked) {
        long now = System.nanoTime();
        return all.stream()
                .filter(outage -> needs.contains(outage.neighbour()) && excuses(outage, asked, now))
                .toList();
    }

    /** Only a call that the database lets through loads a key. So what broke a host of keys lasts until both are back. */
    private boolean excuses(Outage outage, long asked, long now) {
        return outage.excuses(asked, now)
                || outage.neighbour().isHostOfKeys()
                        && all.stream()
                                .filter(other -> other.neighbour() == Neighbour.DATABASE)
                                .anyMatch(other -> outage.excuses(other.begin(), now) && other.excuses(asked, now));
    }

    /** Blames what is still broken for a call that failed, or else what came back last. */
    static void blame(List<Outage> causes, long asked) {
        if (!causes.isEmpty() && causes.stream().allMatch(Outage::isOver)) {
            causes.get(causes.size() - 1).blameFor(asked);
        }
    }

    /** The outages of the last minute, for a message. */
    List<String> recent() {
        long now = System.nanoTime();
        return all.stream()
                .filter(outage -> outage.excuses(now - RECENT, now))
                .map(outage -> outage.describe(now))
                .toList();
    }

    /** How long after the end of each outage of a kind the last call was made that failed, in the order of the times. */
    Map<String, List<Long>> recoveryMillis() {
        return all.stream()
                .sorted(Comparator.comparing(Outage::recoveryMillis))
                .collect(Collectors.groupingBy(
                        Outage::toString,
                        TreeMap::new,
                        Collectors.mapping(Outage::recoveryMillis, Collectors.toList())));
    }
}
