package io.github.checktoken.walk;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;

/** Makes a number of walks in two realms of their own, in several threads at the same time. */
final class WalkRun {

    private static final int PEOPLE_AT_ONCE = 25;
    /** How many of the walks that are wrong in the same way are shrunk. */
    private static final int SHRUNK_AT_MOST = 3;

    private final KeycloakServer server;
    private final int steps;
    private final int walkers;
    private final boolean guided;
    private final boolean guarded;
    private final Discoveries discoveries = new Discoveries();
    private final AtomicInteger suffixes = new AtomicInteger();
    private final Map<OracleViolation, Integer> shrunk = new HashMap<>();

    /**
     * @param guided whether walks may begin like one that has reached something new; if not, each is its own seed's
     * @param guarded if not, the realms are as without this project, and only what must succeed is checked
     */
    WalkRun(KeycloakServer server, int steps, int walkers, boolean guided, boolean guarded) {
        this.server = server;
        this.steps = steps;
        this.walkers = walkers;
        this.guided = guided;
        this.guarded = guarded;
    }

    /** @param seed the seed of the first walk; each next walk has the next number */
    WalkReport walk(long seed, int walks) throws InterruptedException, ExecutionException {
        return walk(LongStream.range(seed, seed + walks)
                .mapToObj(next -> WalkSeed.of(next, steps))
                .toList());
    }

    WalkReport walk(List<WalkSeed> seeds) throws InterruptedException, ExecutionException {
        WalkReport report = new WalkReport(seeds.get(0).first(), discoveries);
        try (MailServer mailServer = new MailServer(server)) {
            Walker walker = new Walker(
                    List.of(
                            new WalkRealm(server, mailServer.settings(), WalkRealm.KEYCLOAKS_RESET, guarded),
                            new WalkRealm(server, mailServer.settings(), WalkRealm.RESET_WITH_CODE, guarded)),
                    mailServer,
                    guided ? (walk, way) -> discoveries.add(Situation.of(walk), way) : (walk, way) -> {});
            ExecutorService threads = Executors.newFixedThreadPool(walkers);
            List<Future<?>> walks = IntStream.range(0, walkers)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> walk(
                            walker,
                            report,
                            IntStream.iterate(i, next -> next < seeds.size(), next -> next + walkers)
                                    .mapToObj(seeds::get)
                                    .toList())))
                    .toList();
            threads.shutdown();
            for (Future<?> done : walks) {
                done.get();
            }
        }
        return report;
    }

    private void walk(Walker walker, WalkReport report, List<WalkSeed> own) {
        for (int from = 0; from < own.size(); from += PEOPLE_AT_ONCE) {
            Map<String, WalkSeed> seeds = new LinkedHashMap<>();
            for (WalkSeed seed : own.subList(from, Math.min(own.size(), from + PEOPLE_AT_ONCE))) {
                long last = seed.parts().get(seed.parts().size() - 1).seed();
                seeds.put(
                        last + "n" + suffixes.incrementAndGet(), guided ? discoveries.next(seed.first(), steps) : seed);
            }
            Map<String, Long> firsts = new LinkedHashMap<>();
            seeds.forEach((suffix, seed) -> firsts.put(suffix, seed.first()));
            Map<String, People> people = walker.people(firsts);
            seeds.forEach((suffix, seed) -> walk(walker, report, seed, people.get(suffix)));
        }
    }

    private void walk(Walker walker, WalkReport report, WalkSeed seed, People people) {
        Walker.Outcome outcome = walker.walk(seed, people);
        report.add(outcome);
        if (outcome.walk().wrong() != null && mayShrink(outcome.walk().wrong())) {
            report.addWrong(new Shrinker(walker).shrink(outcome));
        }
    }

    private synchronized boolean mayShrink(OracleViolation wrong) {
        return shrunk.merge(wrong, 1, Integer::sum) <= Integer.getInteger("walk.shrunk", SHRUNK_AT_MOST);
    }
}
