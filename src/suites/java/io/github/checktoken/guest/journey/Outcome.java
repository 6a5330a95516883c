package io.github.checktoken.guest.journey;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Shown.Rank;

/**
 * How a journey ended.
 *
 * @param worth the more, the better for the honest person; comparable only within a journey
 */
public record Outcome(String text, double worth, Kind kind) {

    public enum Kind {
        /** One thing happens after the other: the text is the same each time. */
        ONE_BY_ONE,
        /** Many do the same at once, and all can be served. */
        CROWD,
        /** Which of two requests comes first, differs. */
        RACE
    }

    static Outcome failed(String reason) {
        return new Outcome("failed: " + reason, -1, Kind.ONE_BY_ONE);
    }

    /** Of one person, who did one thing after the other. */
    static Outcome of(String text, double worth) {
        return new Outcome(text, worth, Kind.ONE_BY_ONE);
    }

    /** Of one person, who went on with what she was shown. */
    static Outcome of(List<Shown> seen) {
        return of(text(seen), rank(seen).ordinal());
    }

    /** Of many that do the same: how many were served, and what the others saw. */
    static Outcome ofCrowd(String served, Collection<Shown> all) {
        Map<String, Long> others = all.stream()
                .filter(shown -> shown.rank() != Rank.SIGNED_IN)
                .collect(Collectors.groupingBy(Shown::text, TreeMap::new, Collectors.counting()));
        long good = all.stream().filter(shown -> shown.rank() == Rank.SIGNED_IN).count();
        StringBuilder text = new StringBuilder("%d of %d %s".formatted(good, all.size(), served));
        others.forEach((what, number) -> text.append("; %d × %s".formatted(number, what)));
        return new Outcome(text.toString(), good, Kind.CROWD);
    }

    /** Of several tries of the same, by the worst of them. */
    static Outcome ofTries(List<List<Shown>> tries) {
        Map<String, Long> texts =
                tries.stream().collect(Collectors.groupingBy(Outcome::text, TreeMap::new, Collectors.counting()));
        String text = texts.entrySet().stream()
                .map(each -> (texts.size() == 1 ? "" : each.getValue() + " × ") + each.getKey())
                .collect(Collectors.joining("; "));
        double worst =
                tries.stream().mapToInt(each -> rank(each).ordinal()).min().orElseThrow();
        return new Outcome(text, worst, Kind.RACE);
    }

    /** What she was shown at first counts, if she got in at last. */
    private static Rank rank(List<Shown> seen) {
        return seen.get(seen.size() - 1).rank() == Rank.SIGNED_IN ? seen.get(0).rank() : Rank.DEAD_END;
    }

    /** @return both outcomes of the same journey, with the lower worth */
    public Outcome and(Outcome again) {
        return new Outcome(text + "; again: " + again.text, Math.min(worth, again.worth), kind);
    }

    private static String text(List<Shown> seen) {
        return seen.stream().map(Shown::text).collect(Collectors.joining(" → "));
    }
}
