package io.github.checktoken.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Breaks one or two neighbours, mends them after a while, and begins again. */
final class Monkey {

    private static final int LONGEST_OUTAGE_MILLIS = 12_000;
    private static final int LONGEST_PAUSE_MILLIS = 8_000;

    /** Sometimes long enough for everything to be right again. */
    private static final int CALM_MILLIS = 25_000;

    private final Random random;
    private final Neighbours neighbours;
    private final Outages outages;

    Monkey(long seed, Neighbours neighbours, Outages outages) {
        this.random = new Random(seed);
        this.neighbours = neighbours;
        this.outages = outages;
    }

    private record Broken(Outage outage, Neighbours.Manner manner) {}

    /** @param end a value of {@link System#nanoTime}; everything is mended a little later */
    void breakUntil(long end) throws Exception {
        while (System.nanoTime() < end) {
            pause(random.nextInt(4) == 0 ? CALM_MILLIS : LONGEST_PAUSE_MILLIS);
            List<Neighbour> chosen = new ArrayList<>(Arrays.asList(Neighbour.values()));
            Collections.shuffle(chosen, random);
            List<Broken> broken = new ArrayList<>();
            for (Neighbour neighbour : chosen.subList(0, 1 + random.nextInt(2))) {
                broken.add(breakOne(neighbour));
            }
            for (Broken each : broken) {
                pause(LONGEST_OUTAGE_MILLIS);
                each.manner().mending().run();
                each.outage().end();
            }
        }
    }

    private Broken breakOne(Neighbour neighbour) throws Exception {
        List<Neighbours.Manner> manners = neighbours.of(neighbour);
        Neighbours.Manner manner = manners.get(random.nextInt(manners.size()));
        Outage outage = outages.begin(neighbour, manner.name());
        System.out.println("broken: " + outage);
        manner.breaking().run();
        return new Broken(outage, manner);
    }

    private void pause(int mostMillis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(mostMillis / 4 + random.nextInt(mostMillis * 3 / 4));
    }
}
