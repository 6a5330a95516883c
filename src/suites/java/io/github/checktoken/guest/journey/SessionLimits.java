package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.TabBrowser;
import io.github.checktoken.support.server.Waiting;

/** A flow with Keycloak's limit of two sessions a person, who signs in with three browsers. */
final class SessionLimits {

    private SessionLimits() {}

    static List<Journey> all() {
        return List.of(
                journey("the third session is refused", "two-sessions-then-refused"),
                journey("the oldest session ends", "two-sessions-then-the-oldest-ends"));
    }

    private static Journey journey(String name, String client) {
        return new Journey("limits", "two sessions a person: " + name, realm -> run(realm, client));
    }

    private static Outcome run(GuestRealm realm, String client) {
        Person person = realm.newPerson();
        List<TabBrowser> browsers = List.of(realm.browser(), realm.browser(), realm.browser());
        List<Shown> shown = new ArrayList<>();
        for (TabBrowser browser : browsers) {
            // Keycloak notes in whole seconds when a session began.
            Waiting.untilAllIsOlderThan(0);
            shown.add(realm.tab(browser, person).open(client, Map.of()).answer().shown());
        }
        for (TabBrowser browser : browsers) {
            shown.add(Shown.of(browser.get(realm.silentRequest(client))));
        }
        double worth = shown.stream().mapToInt(each -> each.rank().ordinal()).sum();
        return Outcome.of(shown.stream().map(Shown::text).collect(Collectors.joining(", ")), worth);
    }
}
