package io.github.checktoken.guest.journey;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.checktoken.guest.journey.Journey.IfGuarded;
import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Tab;

/** A realm lets people in by a username, as it has for years. A guarded realm must not. */
final class NameAlone {

    private NameAlone() {}

    static List<Journey> all() {
        return List.of(
                journey("a kiosk: the username", "kiosk", GuestRealm::newPerson),
                journey("the username, then Allow access", "kiosk-that-allows", GuestRealm::newPerson),
                journey("the username, then Allow access for those with a role", "allowed-by-role", realm -> {
                    Person person = realm.newPerson();
                    realm.admin()
                            .post(
                                    realm.admin().user(person.name()) + "/role-mappings/realm",
                                    List.of(realm.admin().get("/roles/trusted")));
                    return person;
                }));
    }

    private static Journey journey(String name, String client, Function<GuestRealm, Person> who) {
        return new Journey("name", name, IfGuarded.REFUSED, realm -> {
            Tab tab = realm.tab(realm.browser(), who.apply(realm)).open(client, Map.of());
            return Outcome.of(tab.answer().shown().text(), tab.shown().rank().ordinal());
        });
    }
}
