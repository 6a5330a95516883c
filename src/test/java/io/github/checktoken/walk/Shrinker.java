package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.List;

/** Removes steps of a wrong walk, as long as the walk stays wrong in the same way. */
final class Shrinker {

    private final Walker walker;
    private int repeats;

    Shrinker(Walker walker) {
        this.walker = walker;
    }

    Walker.Outcome shrink(Walker.Outcome wrong) {
        Walker.Outcome smallest = wrong;
        for (int size = Math.max(1, wrong.steps().size() / 2); size >= 1; size /= 2) {
            for (int from = 0; from < smallest.steps().size(); ) {
                List<Step> fewer = new ArrayList<>(smallest.steps());
                fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
                Walker.Outcome outcome = walker.repeat(
                        wrong.seed(),
                        fewer,
                        wrong.walk().people().persons().get(0).name().substring(1) + "r" + repeats++);
                if (wrong.walk().wrong().equals(outcome.walk().wrong())) {
                    smallest = outcome;
                } else {
                    from += size;
                }
            }
        }
        return smallest;
    }
}
