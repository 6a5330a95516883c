package io.github.checktoken.guest.journey;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.checktoken.guest.journey.Journey.IfGuarded;
import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Tab;
import io.github.checktoken.guest.realm.TabBrowser;

/** An application revokes its refresh token (RFC 7009), as many do at their own sign-out, while the person is elsewhere. */
final class RevokedSession {

    /** Its flow notes level 1, so that another application asks for level 2 alone. */
    private static final String REVOKING = "level-two-allowed";

    private RevokedSession() {}

    static List<Journey> all() {
        return List.of(
                journey(
                        "a one-time password of another application",
                        GuestRealm::newPersonWithOtp,
                        (realm, tab) -> tab.open("step-up", Map.of("acr_values", "2"))),
                journey("the second form of another application", GuestRealm::newPerson, (realm, tab) -> {
                    tab.open("username-then-password", Map.of("prompt", "login"));
                    return tab.fields().containsKey("password") ? tab : tab.answer();
                }),
                new Journey("revoked", "the password in an older tab", IfGuarded.BEGUN_ANEW, realm -> {
                    Person person = realm.newPerson();
                    TabBrowser browser = realm.browser();
                    Tab older = realm.tab(browser, person).open("app", Map.of());
                    String token = realm.signIn(browser, person, REVOKING).refreshToken();
                    realm.client(REVOKING).revoke(token);
                    return Outcome.of(older.answer().goOn());
                }));
    }

    /** Goes to the step at which the person is when the token is revoked. */
    private interface Way {
        Tab go(GuestRealm realm, Tab tab);
    }

    private static Journey journey(String step, Function<GuestRealm, Person> who, Way way) {
        return new Journey("revoked", step, IfGuarded.BEGUN_ANEW, realm -> {
            Person person = who.apply(realm);
            TabBrowser browser = realm.browser();
            String token = realm.signIn(browser, person, REVOKING).refreshToken();
            Tab tab = way.go(realm, realm.tab(browser, person));
            realm.client(REVOKING).revoke(token);
            return Outcome.of(tab.answer().goOn());
        });
    }
}
