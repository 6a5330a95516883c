package io.github.checktoken.walk;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.walk.oracle.Oracle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Two people use the login pages at random, in one browser. No answer may report more than they proved: see
 * {@link Oracle}.
 *
 * <p>{@code mvn verify -Dsuite=walk} makes 12,000 walks. {@code -Dwalk.walks}, {@code -Dwalk.seed}, {@code -Dwalk.steps} and
 * {@code -Dwalk.walkers} change this. {@code -Dwalk.seeds=17,42:12+93:18} makes only these walks, as the report names
 * them: see {@link WalkSeed}. There, the server has a provider of the tests that says what it keeps of a login, so that
 * walks continue from where something may be left.
 */
@ExtendWith(KeycloakExtension.class)
public class RandomWalkIT {

    private static final int FIXED_WALKS = 12;
    private static final long FIXED_SEED = 1;
    private static final int STEPS = 30;

    /** How often each login action must be used in the whole run. */
    private static final int USES_OF_EACH_DOOR = 20;

    /** One walk of so many is also made in a realm that is not guarded. */
    private static final int UNGUARDED = 10;

    private static final Path REPORT = Path.of("target", "walk", "report.md");
    private static final Path UNGUARDED_REPORT = Path.of("target", "walk", "report-unguarded.md");

    private final KeycloakServer server;

    RandomWalkIT(KeycloakServer server) {
        this.server = server;
    }

    @Test
    void fixedWalksAreToldNoMoreThanTheyProved() throws InterruptedException, ExecutionException {
        WalkReport report = new WalkRun(server, STEPS, 2, false, true).walk(FIXED_SEED, FIXED_WALKS);
        assertEquals(0, report.wrongAnswers(), report::text);
    }

    @Test
    @Tag("walk")
    void manyWalksAreToldNoMoreThanTheyProved() throws InterruptedException, ExecutionException {
        int walks = Integer.getInteger("walk.walks", 12_000);
        String seeds = System.getProperty("walk.seeds", "");
        int steps = Integer.getInteger("walk.steps", STEPS);
        int walkers = Integer.getInteger("walk.walkers", 2);
        WalkReport report = seeds.isEmpty()
                ? new WalkRun(server, steps, walkers, true, true).walk(Long.getLong("walk.seed", FIXED_SEED), walks)
                : new WalkRun(server, steps, walkers, false, true).walk(parse(seeds, steps));
        report.write(REPORT);
        System.out.println(report.text());
        assertEquals(0, report.wrongAnswers(), "see " + REPORT);
        if (seeds.isEmpty()) {
            assertEquals(List.of(), report.doorsUsedLessThan(USES_OF_EACH_DOOR), "login actions that were hardly used");
        }
    }

    /** Otherwise the walks would ask for more than Keycloak grants. */
    @Test
    @Tag("walk")
    void whatMustSucceedDoesSoInARealmThatIsNotGuarded() throws InterruptedException, ExecutionException {
        String seeds = System.getProperty("walk.seeds", "");
        int steps = Integer.getInteger("walk.steps", STEPS);
        WalkRun run = new WalkRun(server, steps, Integer.getInteger("walk.walkers", 2), false, false);
        WalkReport report = seeds.isEmpty()
                ? run.walk(
                        Long.getLong("walk.seed", FIXED_SEED),
                        Math.max(FIXED_WALKS, Integer.getInteger("walk.walks", 12_000) / UNGUARDED))
                : run.walk(parse(seeds, steps));
        report.write(UNGUARDED_REPORT);
        System.out.println(report.text());
        assertEquals(0, report.wrongAnswers(), "see " + UNGUARDED_REPORT);
    }

    private static List<WalkSeed> parse(String seeds, int steps) {
        return Stream.of(seeds.split(","))
                .map(seed -> WalkSeed.parse(seed, steps))
                .toList();
    }
}
