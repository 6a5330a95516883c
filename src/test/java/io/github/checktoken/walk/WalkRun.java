package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;

/** Makes a number of walks in a realm of their own, in several threads at the same time. */
final class WalkRun {

    private static final int PEOPLE_AT_ONCE = 50;
    /** How many of the walks that are wrong in the same way are shrunk. */
    private static final int SHRUNK_AT_MOST = 3;

    private final KeycloakServer server;
    private final int steps;
    private final int walkers;
    private final Map<OracleViolation, Integer> shrunk = new HashMap<>();

    WalkRun(KeycloakServer server, int steps, int walkers) {
        this.server = server;
        this.steps = steps;
        this.walkers = walkers;
    }

    /** @param seed the seed of the first walk; each next walk has the next number */
    WalkReport walk(long seed, int walks) throws InterruptedException {
        return walk(LongStream.range(seed, seed + walks).boxed().toList());
    }

    WalkReport walk(List<Long> seeds) throws InterruptedException {
        WalkReport report = new WalkReport(seeds.get(0));
        try (MailServer mailServer = new MailServer(server)) {
            WalkRealm realm = new WalkRealm(server, mailServer.settings());
            Walker walker = new Walker(realm, mailServer, steps);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < walkers; i++) {
                List<Long> own = IntStream.iterate(i, next -> next < seeds.size(), next -> next + walkers)
                        .mapToObj(seeds::get)
                        .toList();
                Thread thread = new Thread(() -> walk(walker, report, own));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        return report;
    }

    private void walk(Walker walker, WalkReport report, List<Long> own) {
        for (int from = 0; from < own.size(); from += PEOPLE_AT_ONCE) {
            List<Long> seeds = own.subList(from, Math.min(own.size(), from + PEOPLE_AT_ONCE));
            Map<Long, People> people = walker.people(seeds);
            for (long seed : seeds) {
                Walker.Outcome outcome = walker.walk(seed, people.get(seed));
                report.add(outcome);
                if (outcome.walk().wrong() != null && mayShrink(outcome.walk().wrong())) {
                    report.addWrong(new Shrinker(walker).shrink(outcome));
                }
            }
        }
    }

    private synchronized boolean mayShrink(OracleViolation wrong) {
        return shrunk.merge(wrong, 1, Integer::sum) <= SHRUNK_AT_MOST;
    }
}
