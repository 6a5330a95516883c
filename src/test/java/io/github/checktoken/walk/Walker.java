package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;
import io.github.checktoken.walk.realm.WalkUserFactory;

/**
 * Makes walks. At each step it draws one of the possible login actions, by weight. The same seed gives the same walk.
 */
final class Walker {

    private final WalkRealm realm;
    private final MailServer mailServer;
    private final WalkUserFactory census;
    private final int steps;

    /** A walk that has ended. */
    record Outcome(long seed, List<Step> steps, Walk walk) {}

    Walker(WalkRealm realm, MailServer mailServer, int steps) {
        this.realm = realm;
        this.mailServer = mailServer;
        this.census = new WalkUserFactory(realm);
        this.steps = steps;
    }

    /** @param people the people who were made for this seed */
    Outcome walk(long seed, People people) {
        Random random = new Random(seed);
        Walk walk = new Walk(realm, mailServer, people);
        List<Step> taken = new ArrayList<>();
        for (int i = 0; i < steps && walk.wrong() == null; i++) {
            Step step = new Step(draw(walk, random), random.nextLong());
            taken.add(step);
            walk.take(step);
        }
        walk.end();
        return new Outcome(seed, taken, walk);
    }

    /** Takes only these steps. The people are those of the seed, but with new names. */
    Outcome repeat(long seed, List<Step> taken, String suffix) {
        People people = census.make(Map.of(suffix, seed)).get(suffix);
        Walk walk = new Walk(realm, mailServer, people);
        for (Step step : taken) {
            if (walk.wrong() == null) {
                walk.take(step);
            }
        }
        walk.end();
        return new Outcome(seed, taken, walk);
    }

    /** Makes the people of many walks at once. */
    Map<Long, People> people(List<Long> seeds) {
        Map<String, Long> suffixes = new HashMap<>();
        seeds.forEach(seed -> suffixes.put(String.valueOf(seed), seed));
        Map<Long, People> people = new HashMap<>();
        census.make(suffixes).forEach((suffix, three) -> people.put(suffixes.get(suffix), three));
        return people;
    }

    private static LoginAction draw(Walk walk, Random random) {
        int[] weights = new int[LoginAction.values().length];
        int sum = 0;
        for (LoginAction door : LoginAction.values()) {
            weights[door.ordinal()] = door.weight(walk);
            sum += weights[door.ordinal()];
        }
        int drawn = random.nextInt(sum);
        for (LoginAction door : LoginAction.values()) {
            drawn -= weights[door.ordinal()];
            if (drawn < 0) {
                return door;
            }
        }
        throw new AssertionError();
    }
}
