package io.github.checktoken.guest.journey;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Shown.Rank;
import io.github.checktoken.guest.realm.TabBrowser;

/** Somebody without an account keeps the server busy with two browsers, while others open their login pages. */
final class StrangersConnections {

    private static final int CONNECTIONS = 44;
    private static final int OTHERS = 30;

    private StrangersConnections() {}

    static List<Journey> all() {
        return List.of(new Journey(
                "stranger",
                "44 connections of a stranger's two browsers, and 30 others with three requests at once each",
                StrangersConnections::run));
    }

    private static Outcome run(GuestRealm realm) {
        List<TabBrowser> browsers = List.of(realm.browser(), realm.browser());
        List<String> tabs = browsers.stream()
                .map(browser -> realm.tab(browser, realm.stranger()).open("app", Map.of()))
                .map(tab -> tab.page().form().action())
                .toList();
        List<TabBrowser> others = Stream.generate(realm::browser).limit(OTHERS).toList();
        others.forEach(other -> other.get(realm.request("app").url()));
        try (Load load = new Load(
                CONNECTIONS,
                i -> browsers.get(i % 2).get(i % 4 < 2 ? realm.request("app").url() : tabs.get(i % 2)))) {
            return Outcome.ofCrowd(
                    "others served",
                    Crowd.atOnce(others.stream()
                            .<Supplier<Shown>>map(other -> () -> worstOfThree(realm, other))
                            .toList()));
        }
    }

    /** What is served here is a login page. */
    private static Shown worstOfThree(GuestRealm realm, TabBrowser browser) {
        return Crowd.atOnce(3, () -> Shown.of(browser.get(realm.request("app").url()))).stream()
                .filter(shown -> !shown.text().equals("name and password"))
                .findFirst()
                .orElse(new Shown("login page", Rank.SIGNED_IN));
    }
}
