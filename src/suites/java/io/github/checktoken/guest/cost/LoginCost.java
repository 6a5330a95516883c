package io.github.checktoken.guest.cost;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.checktoken.bench.server.Jvm;
import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;

/**
 * What a login costs a server without the JAR and one with it, in realms that are not guarded. The servers take turns;
 * the rounds without the JAR make two series, whose difference is the noise. All rounds are of the same length: a server
 * that does not keep up has longer queues in a longer one.
 */
public record LoginCost(LoginRound without, LoginRound withoutAgain, LoginRound with) {

    private static final int PEOPLE = 50;
    private static final int WARM_UP = 250;
    private static final int ROUNDS = Integer.getInteger("guest.rounds", 4);
    private static final int LOGINS = 125;

    /** Issue 51: at most so much more than without the JAR. */
    private static final double MOST_PERCENT = 1;

    public static LoginCost of(GuestRealm without, long pidWithout, GuestRealm with, long pidWith) throws IOException {
        try (Jvm jvmWithout = new Jvm(pidWithout);
                Jvm jvmWith = new Jvm(pidWith)) {
            List<Person> people = people(without);
            List<Person> peopleWith = people(with);
            LoginRound.of(without, people, jvmWithout, WARM_UP);
            LoginRound.of(with, peopleWith, jvmWith, WARM_UP);
            List<LoginRound> first = new ArrayList<>();
            List<LoginRound> second = new ArrayList<>();
            List<LoginRound> rounds = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                first.add(LoginRound.of(without, people, jvmWithout, LOGINS));
                rounds.add(LoginRound.of(with, peopleWith, jvmWith, LOGINS));
                second.add(LoginRound.of(without, people, jvmWithout, LOGINS));
                rounds.add(LoginRound.of(with, peopleWith, jvmWith, LOGINS));
            }
            return new LoginCost(LoginRound.sum(first), LoginRound.sum(second), LoginRound.sum(rounds));
        }
    }

    private static List<Person> people(GuestRealm realm) {
        List<Person> people = Stream.generate(realm::newPerson).limit(PEOPLE).toList();
        // With the first login, Keycloak makes the realm's key for cookies. Several at once would each make one.
        realm.signIn(realm.browser(), people.get(0), "app");
        return people;
    }

    /** @return how much more a login with the JAR allocates, in percent of one without it */
    public double morePercent() {
        return 100 * (with.kilobytesPerLogin() / mean() - 1);
    }

    /** @return how far the two series without the JAR lie apart, in percent */
    private double noisePercent() {
        return 100 * Math.abs(without.kilobytesPerLogin() - withoutAgain.kilobytesPerLogin()) / mean();
    }

    public boolean isWithinTheLimit() {
        return morePercent() <= MOST_PERCENT + noisePercent();
    }

    private double mean() {
        return (without.kilobytesPerLogin() + withoutAgain.kilobytesPerLogin()) / 2;
    }

    /** @return a table in Markdown, and the verdict */
    public List<String> report() {
        return Stream.of(
                        Stream.of(
                                "| A login in a realm that is not guarded | allocated | p99 at 50 a second |",
                                "|---|---|---|"),
                        IntStream.range(0, 3).mapToObj(this::row),
                        Stream.of("", verdict()))
                .flatMap(lines -> lines)
                .toList();
    }

    private String verdict() {
        return String.format(
                Locale.ROOT,
                "Allocated with the JAR: %+.1f %%; at most %.0f %% and the noise of %.1f %%: %s.",
                morePercent(),
                MOST_PERCENT,
                noisePercent(),
                isWithinTheLimit() ? "met" : "**not met**");
    }

    private String row(int number) {
        LoginRound round = List.of(without, withoutAgain, with).get(number);
        String name = List.of("without the JAR", "without the JAR, again", "with the JAR")
                .get(number);
        return String.format(Locale.ROOT, "| %s | %.0f kB | %.0f ms |", name, round.kilobytesPerLogin(), round.p99());
    }
}
