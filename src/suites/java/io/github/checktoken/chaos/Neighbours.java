package io.github.checktoken.chaos;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.PostgresServer;

/** In which manners each neighbour breaks, and how it is mended. */
final class Neighbours {

    private static final int MOST_CLOCK_SECONDS = (int) TimeUnit.HOURS.toSeconds(2);

    interface Action {
        void run() throws Exception;
    }

    record Manner(String name, Action breaking, Action mending) {}

    private final Map<Neighbour, List<Manner>> manners = new EnumMap<>(Neighbour.class);

    Neighbours(
            DirectoryServer directory,
            PostgresServer postgres,
            MailServer mail,
            ServerClock clock,
            KeyHost keys,
            KeyHost otherKeys) {
        manners.put(
                Neighbour.DIRECTORY,
                List.of(
                        new Manner("killed", directory::stop, directory::start),
                        new Manner("hangs", directory::suspend, directory::resume)));
        manners.put(
                Neighbour.DATABASE,
                List.of(
                        new Manner("stopped", postgres::stop, postgres::start),
                        new Manner("hangs", postgres::suspend, postgres::resume),
                        new Manner("crashed", postgres::crash, () -> {}),
                        new Manner("closed connections", postgres::closeConnections, () -> {})));
        manners.put(Neighbour.MAIL, List.of(new Manner("stopped", mail::stop, mail::start)));
        manners.put(
                Neighbour.CLOCK,
                List.of(
                        clock(clock, "a little ahead", 10),
                        clock(clock, "a little behind", -10),
                        clock(clock, "minutes ahead", 400),
                        clock(clock, "hours ahead", MOST_CLOCK_SECONDS),
                        clock(clock, "hours behind", -MOST_CLOCK_SECONDS)));
        manners.put(Neighbour.KEYS, ofKeys(keys));
        manners.put(Neighbour.OTHER_KEYS, ofKeys(otherKeys));
    }

    List<Manner> of(Neighbour neighbour) {
        return manners.get(neighbour);
    }

    private static Manner clock(ServerClock clock, String name, int secondsAhead) {
        return new Manner(name, () -> clock.set(secondsAhead), () -> clock.set(0));
    }

    private static List<Manner> ofKeys(KeyHost host) {
        return List.of(
                new Manner("stopped", host::stop, host::start),
                new Manner("hangs", () -> host.behave(JwksServer.silence()), host::serve),
                new Manner("500", () -> host.behave(JwksServer.body(500, "text/plain", "no")), host::serve),
                new Manner("rubbish", () -> host.behave(JwksServer.body(200, "text/html", "<p>{")), host::serve),
                new Manner("trickles", () -> host.behave(JwksServer.trickle()), host::serve));
    }
}
