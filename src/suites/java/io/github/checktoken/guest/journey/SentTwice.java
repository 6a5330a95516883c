package io.github.checktoken.guest.journey;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Tab;
import io.github.checktoken.guest.realm.TabBrowser;

/**
 * A person presses a button twice, or her browser loads a callback twice. She sees the second answer, and goes on with
 * what it offers.
 */
final class SentTwice {

    /** The less time is between both, the more different answers there are. */
    private static final Map<Integer, Integer> TRIES_BY_MILLIS = Map.of(0, 12, 15, 6, 60, 3, 400, 3);

    private SentTwice() {}

    static List<Journey> all() {
        return Stream.of(
                        journeys("a password", realm -> form(realm, realm.newPerson(), tab -> tab)),
                        journeys(
                                "a registration",
                                realm ->
                                        form(realm, realm.stranger(), tab -> tab.click("/login-actions/registration"))),
                        journeys(
                                "a reset of the password",
                                realm -> form(
                                        realm,
                                        realm.newPerson(),
                                        tab -> tab.click("/login-actions/reset-credentials"))),
                        journeys("a provider's callback", SentTwice::callback))
                .flatMap(journeys -> journeys)
                .toList();
    }

    /** @param request what is sent twice, and the tab in which it is sent */
    private record Twice(Tab tab, Supplier<HttpResponse<String>> request) {}

    private static Stream<Journey> journeys(String what, Function<GuestRealm, Twice> beginning) {
        return IntStream.of(0, 15, 60, 400)
                .mapToObj(millis -> new Journey(
                        "twice",
                        what + " sent twice, " + millis + " ms apart",
                        realm -> run(realm, beginning, millis)));
    }

    private static Outcome run(GuestRealm realm, Function<GuestRealm, Twice> beginning, int millis) {
        List<List<Shown>> tries = new ArrayList<>();
        for (int i = 0; i < TRIES_BY_MILLIS.get(millis); i++) {
            Twice twice = beginning.apply(realm);
            CompletableFuture<HttpResponse<String>> first =
                    CompletableFuture.supplyAsync(twice.request(), Crowd.THREADS);
            Crowd.pause(millis);
            Tab tab = twice.tab().show(twice.request().get());
            // A person needs longer than the other request. Otherwise, whether its mail is there would be chance.
            first.join();
            tries.add(tab.goOn());
        }
        return Outcome.ofTries(tries);
    }

    private static Twice form(GuestRealm realm, Person person, Function<Tab, Tab> toTheForm) {
        TabBrowser browser = realm.browser();
        Tab tab = toTheForm.apply(realm.tab(browser, person).open("app", Map.of()));
        String action = tab.page().form().action();
        Map<String, String> fields = tab.fields();
        return new Twice(tab, () -> browser.post(action, fields));
    }

    private static Twice callback(GuestRealm realm) {
        TabBrowser browser = realm.browser();
        Person person = realm.atTheProvider(realm.newPerson());
        realm.link(person, "provider");
        Tab tab = realm.tab(browser, person).open("app", Map.of("kc_idp_hint", "provider"));
        String callback = TabBrowser.location(browser.postOnly(tab.page().form().action(), tab.fields()));
        return new Twice(tab, () -> browser.get(callback));
    }
}
