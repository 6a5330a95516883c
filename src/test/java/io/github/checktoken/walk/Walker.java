package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;

import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;
import io.github.checktoken.walk.realm.WalkUserFactory;

/**
 * Makes walks. At each step it draws one of the possible login actions, by weight. The same seed gives the same walk.
 */
final class Walker {

    private final List<WalkRealm> realms;
    private final MailServer mailServer;
    private final BiConsumer<Walk, WalkSeed> onStep;

    /** A walk that has ended. */
    record Outcome(WalkSeed seed, List<Step> steps, Walk walk) {}

    /**
     * @param realms which the walks take in turn
     * @param onStep gets the walk after each step, and what its steps so far were drawn from
     */
    Walker(List<WalkRealm> realms, MailServer mailServer, BiConsumer<Walk, WalkSeed> onStep) {
        this.realms = realms;
        this.mailServer = mailServer;
        this.onStep = onStep;
    }

    /** @param people the people who were made for the first seed */
    Outcome walk(WalkSeed seed, People people) {
        Walk walk = new Walk(realm(seed.first()), mailServer, people, seed.first());
        List<Step> taken = new ArrayList<>();
        for (WalkSeed.Part part : seed.parts()) {
            Random random = new Random(part.seed());
            Habits habits = new Habits(part.seed());
            for (int i = 0; i < part.steps() && walk.wrong() == null; i++) {
                Step step = new Step(draw(walk, habits, random), random.nextLong(), habits);
                taken.add(step);
                walk.take(step);
                onStep.accept(walk, seed.until(taken.size()));
            }
        }
        walk.end();
        return new Outcome(seed, taken, walk);
    }

    /** Takes only these steps. The people are those of the seed, but with new names. */
    Outcome repeat(WalkSeed seed, List<Step> taken, String suffix) {
        Walk walk = new Walk(
                realm(seed.first()),
                mailServer,
                people(Map.of(suffix, seed.first())).get(suffix),
                seed.first());
        for (Step step : taken) {
            if (walk.wrong() == null) {
                walk.take(step);
            }
        }
        walk.end();
        return new Outcome(seed, taken, walk);
    }

    /**
     * Makes the people of many walks at once.
     *
     * @param seeds the first seed of each walk, by the suffix of the names
     */
    Map<String, People> people(Map<String, Long> seeds) {
        Map<WalkRealm, Map<String, Long>> byRealm = new LinkedHashMap<>();
        seeds.forEach((suffix, seed) -> byRealm.computeIfAbsent(realm(seed), realm -> new LinkedHashMap<>())
                .put(suffix, seed));
        Map<String, People> people = new LinkedHashMap<>();
        byRealm.forEach((realm, ofRealm) -> people.putAll(new WalkUserFactory(realm).make(ofRealm)));
        return people;
    }

    private WalkRealm realm(long seed) {
        return realms.get((int) (seed % realms.size()));
    }

    private static LoginAction draw(Walk walk, Habits habits, Random random) {
        int[] weights = new int[LoginAction.values().length];
        int sum = 0;
        for (LoginAction door : LoginAction.values()) {
            weights[door.ordinal()] = habits.weight(door, walk);
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
