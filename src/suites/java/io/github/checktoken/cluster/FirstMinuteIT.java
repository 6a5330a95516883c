package io.github.checktoken.cluster;

import java.time.Duration;
import java.util.List;

import io.github.checktoken.cluster.load.HaproxyServer;
import io.github.checktoken.cluster.load.SteadyLoad;
import io.github.checktoken.cluster.load.SteadyLoad.Call;
import io.github.checktoken.support.realm.Federation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What callers notice of a node that has just started, as after each step of a rolling update. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class FirstMinuteIT {

    private static final int STARTED = 1;
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration PART = Duration.ofSeconds(10);

    /** A node gets half of them, and is warm after 20,000. */
    private static final int PER_SECOND = 300;

    /** The option of HAProxy that docs/operations.md names. */
    private static final String SLOW_START = "slowstart 30s";

    private final Cluster cluster;

    FirstMinuteIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void eachCallIsAnswered() throws Exception {
        String token = cluster.federation()
                .town()
                .signIn("camille", Federation.ALL_SCOPES)
                .accessToken();
        SteadyLoad load = new SteadyLoad(cluster.federation().tax(), token, PER_SECOND);
        load.run(MINUTE);
        load.run(MINUTE);
        report("both nodes warm", load.run(MINUTE));
        for (String options : List.of("", SLOW_START)) {
            cluster.restartEntrance(options);
            cluster.node(STARTED).stop();
            cluster.awaitMembers(1);
            cluster.node(STARTED).start();
            List<Call> calls = load.run(MINUTE);
            report("one node just started, HAProxy has '" + options + "'", calls);
            assertEquals(
                    List.of(),
                    calls.stream().filter(call -> call.status() != 200).toList());
        }
        cluster.restartEntrance("");
    }

    private static void report(String when, List<Call> calls) {
        System.out.printf(
                "%d calls a second, %s: p50 %d ms, p99 %d ms%n",
                PER_SECOND,
                when,
                SteadyLoad.percentile(calls, 50).toMillis(),
                SteadyLoad.percentile(calls, 99).toMillis());
        for (Duration begin = Duration.ZERO; begin.compareTo(MINUTE) < 0; begin = begin.plus(PART)) {
            Duration from = begin;
            List<Call> part = calls.stream()
                    .filter(call ->
                            call.due().compareTo(from) >= 0 && call.due().compareTo(from.plus(PART)) < 0)
                    .toList();
            System.out.printf(
                    "  from second %d: p50 %d ms, p99 %d ms; %d by the node that started%n",
                    from.toSeconds(),
                    SteadyLoad.percentile(part, 50).toMillis(),
                    SteadyLoad.percentile(part, 99).toMillis(),
                    part.stream()
                            .filter(call -> call.node().equals(HaproxyServer.name(STARTED)))
                            .count());
        }
    }
}
