package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Tab;

/**
 * In a first login at a provider, the person shall prove that the account of the same address is hers, and has forgotten
 * its password.
 */
final class ForgottenPasswordAtAProvider {

    private static final String PROVIDER = "provider";

    private ForgottenPasswordAtAProvider() {}

    static List<Journey> all() {
        return List.of(
                new Journey("forgotten", "the name is filled in", realm -> {
                    String filledIn = forgot(realm, realm.newBrowserTab(owner(realm)), PROVIDER)
                            .page()
                            .form()
                            .fields()
                            .get("username");
                    return filledIn.isEmpty() ? Outcome.of("empty", 0) : Outcome.of("filled in", 1);
                }),
                new Journey("forgotten", "a mail, a new password, signed in", realm -> reset(realm, PROVIDER)),
                new Journey(
                        "forgotten", "the mail is opened in another browser", ForgottenPasswordAtAProvider::elsewhere),
                new Journey(
                        "forgotten",
                        "a first login that does not search for the account",
                        realm -> reset(realm, "provider-without-search")));
    }

    private static Person owner(GuestRealm realm) {
        return realm.atTheProvider(realm.newPerson());
    }

    /** @return the tab with the form that sends the mail */
    private static Tab forgot(GuestRealm realm, Tab tab, String provider) {
        tab.open("app", Map.of("kc_idp_hint", provider)).answer();
        if (tab.page().form().hasButton("submitAction")) {
            tab.answer();
        }
        return tab.click("/login-actions/reset-credentials");
    }

    private static Outcome reset(GuestRealm realm, String provider) {
        Person person = owner(realm);
        Tab tab = forgot(realm, realm.newBrowserTab(person), provider);
        return outcome(realm, person, tab.answer().goOn());
    }

    private static Outcome elsewhere(GuestRealm realm) {
        Person person = owner(realm);
        Tab tab = forgot(realm, realm.newBrowserTab(person), PROVIDER).answer();
        Tab other = realm.newBrowserTab(person);
        other.openMail();
        List<Shown> seen = new ArrayList<>(List.of(other.shown()));
        seen.add(other.answer().shown());
        tab.open("app", Map.of("kc_idp_hint", PROVIDER));
        seen.addAll(tab.goOn());
        return outcome(realm, person, seen);
    }

    private static Outcome outcome(GuestRealm realm, Person person, List<Shown> seen) {
        boolean linked = realm.isLinked(person);
        String steps = seen.stream().map(Shown::text).collect(Collectors.joining(" → "));
        return Outcome.of(
                steps + (linked ? ", linked" : ", not linked"),
                seen.get(seen.size() - 1).rank().ordinal() + (linked ? 1 : 0));
    }
}
