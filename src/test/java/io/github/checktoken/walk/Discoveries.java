package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Which situations the walks of a run have reached, and how. Most walks begin like one that has reached a
 * situation first, because random steps alone seldom get through several flows of one login.
 */
final class Discoveries {

    /** In percent of the walks. */
    private static final int CONTINUED = 65;

    private final Map<String, Discovery> known = new HashMap<>();
    private final List<Discovery> inOrder = new ArrayList<>();

    private static final class Discovery {

        private final WalkSeed way;
        private final int interest;
        private int continued;

        Discovery(WalkSeed way, int interest) {
            this.way = way;
            this.interest = interest;
        }

        double weight() {
            return Math.pow(interest, 3) / Math.pow(1 + continued, 2);
        }
    }

    /** @param way the steps that have led to the situation, which are forgotten if it was reached before */
    synchronized void add(Situation situation, WalkSeed way) {
        if (situation.interest() > 0 && !known.containsKey(situation.name())) {
            Discovery discovery = new Discovery(way, situation.interest());
            known.put(situation.name(), discovery);
            inOrder.add(discovery);
        }
    }

    /** @return a new walk, or one that continues from a discovery */
    synchronized WalkSeed next(long seed, int steps) {
        Random random = new Random(seed ^ 0xd15c);
        if (inOrder.isEmpty() || random.nextInt(100) >= CONTINUED) {
            return WalkSeed.of(seed, steps);
        }
        double drawn = random.nextDouble()
                * inOrder.stream().mapToDouble(Discovery::weight).sum();
        for (Discovery discovery : inOrder) {
            drawn -= discovery.weight();
            if (drawn < 0) {
                discovery.continued++;
                return discovery.way.then(seed, Math.max(steps / 2, steps - discovery.way.steps()));
            }
        }
        return WalkSeed.of(seed, steps);
    }

    synchronized int size() {
        return inOrder.size();
    }
}
