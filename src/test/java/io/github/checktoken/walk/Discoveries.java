package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Which situations the walks of a run have reached, and how. Most walks begin like one of the first that have reached
 * a situation, because random steps alone seldom get through several flows of one login.
 */
final class Discoveries {

    /** In percent of the walks. */
    private static final int CONTINUED = 80;

    /** How many steps a walk takes after those that lead to the situation. */
    private static final int FURTHER_STEPS = 12;

    /** How many ways to a situation are kept: people and clients differ in them. */
    private static final int WAYS = 6;

    private final Map<String, Discovery> known = new HashMap<>();
    private final List<Discovery> inOrder = new ArrayList<>();

    private static final class Discovery {

        private final List<WalkSeed> ways = new ArrayList<>();
        private final int interest;
        private int reached;
        private int continued;

        Discovery(int interest) {
            this.interest = interest;
        }

        /** @return so that each is continued about as often as its interest says, and rare ones more often */
        double weight() {
            return interest * interest / Math.sqrt(reached) / (1 + continued);
        }
    }

    /** @param way the steps that have led to the situation, which are forgotten if it was reached often before */
    synchronized void add(Situation situation, WalkSeed way) {
        if (situation.interest() == 0) {
            return;
        }
        Discovery discovery = known.computeIfAbsent(situation.name(), name -> {
            Discovery found = new Discovery(situation.interest());
            inOrder.add(found);
            return found;
        });
        discovery.reached++;
        if (discovery.ways.size() < WAYS) {
            discovery.ways.add(way);
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
                WalkSeed way = discovery.ways.get(discovery.continued++ % discovery.ways.size());
                return way.then(seed, FURTHER_STEPS);
            }
        }
        return WalkSeed.of(seed, steps);
    }

    synchronized int size() {
        return inOrder.size();
    }
}
