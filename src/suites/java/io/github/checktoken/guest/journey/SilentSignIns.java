package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Shown.Rank;
import io.github.checktoken.guest.realm.TabBrowser;

/** Applications ask with {@code prompt=none}, all at once, as restored tabs and the frames of a portal do. */
final class SilentSignIns {

    private static final int ROUNDS = 3;

    private SilentSignIns() {}

    static List<Journey> all() {
        return List.of(
                journey("30 silent sign-ins of one browser at once", 1, 30, 1),
                journey("60 silent sign-ins of one browser at once", 1, 60, 1),
                journey("10 people with 6 tabs, three times", 10, 6, ROUNDS),
                journey("20 people with 8 tabs, three times", 20, 8, ROUNDS),
                new Journey(
                        "silent",
                        "4 people open a portal of six applications, three times: a sign-in, then silent ones",
                        SilentSignIns::portal));
    }

    private static Journey journey(String name, int people, int tabs, int rounds) {
        return new Journey("silent", name, realm -> tabs(realm, people, tabs, rounds));
    }

    private static Outcome tabs(GuestRealm realm, int people, int tabs, int rounds) {
        List<Supplier<Shown>> all = realm.signedIn(people).stream()
                .<Supplier<Shown>>map(browser -> () -> Shown.of(browser.get(realm.silentRequest("app"))))
                .flatMap(tab -> Collections.nCopies(tabs, tab).stream())
                .toList();
        List<Shown> shown = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            shown.addAll(Crowd.atOnce(all));
        }
        return outcome(shown);
    }

    /** No page may ever answer {@code prompt=none} (OpenID Connect Core, section 3.1.2.6). */
    private static Outcome outcome(List<Shown> shown) {
        Outcome outcome = Outcome.ofCrowd("codes", shown);
        boolean page = shown.stream()
                .anyMatch(each -> each.rank() != Rank.SIGNED_IN && !each.text().startsWith("error="));
        return page ? new Outcome(outcome.text(), -1, outcome.kind()) : outcome;
    }

    private static Outcome portal(GuestRealm realm) {
        List<Supplier<List<Shown>>> people = Stream.generate(realm::newPerson)
                .limit(4)
                .<Supplier<List<Shown>>>map(person -> () -> visit(realm, person))
                .toList();
        return outcome(Crowd.atOnce(people).stream().flatMap(Collection::stream).toList());
    }

    private static List<Shown> visit(GuestRealm realm, Person person) {
        List<Shown> shown = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            TabBrowser browser = realm.browser();
            realm.signIn(browser, person, "app");
            shown.addAll(Crowd.atOnce(IntStream.rangeClosed(1, 6)
                    .<Supplier<Shown>>mapToObj(i -> () -> Shown.of(browser.get(realm.silentRequest("portal-" + i))))
                    .toList()));
        }
        return shown;
    }
}
