package io.github.checktoken.guest.journey;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.guest.journey.Journey.IfGuarded;
import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Tab;
import io.github.checktoken.guest.realm.TabBrowser;
import io.github.checktoken.support.server.Waiting;

/** A server that is slow, and a person who is. */
final class SlowLogins {

    /** Of the realm, for one journey. */
    private static final int LOGIN_TIMEOUT_SECONDS = 5;

    private static final List<String> TIMEOUTS =
            List.of("accessCodeLifespan", "accessCodeLifespanLogin", "accessCodeLifespanUserAction");

    private SlowLogins() {}

    static List<Journey> all() {
        return List.of(
                new Journey("slow", "a second tab while the password is checked for seconds", SlowLogins::secondTab),
                new Journey(
                        "slow",
                        "steps that take longer than the login timeout together",
                        IfGuarded.BEGUN_ANEW,
                        SlowLogins::steps));
    }

    private static Outcome secondTab(GuestRealm realm) {
        Person person = realm.newPersonWithSlowPassword();
        TabBrowser browser = realm.browser();
        Tab first = realm.tab(browser, person).open("app", Map.of());
        String action = first.page().form().action();
        Map<String, String> fields = first.fields();
        CompletableFuture<HttpResponse<String>> checked =
                CompletableFuture.supplyAsync(() -> browser.post(action, fields), Crowd.THREADS);
        Crowd.pause(300);
        Shown second = realm.tab(browser, person).open("other", Map.of()).shown();
        String when = checked.isDone() ? "after" : "before";
        return Outcome.of(
                "%s, %s the password was checked; then %s"
                        .formatted(second.text(), when, Shown.of(checked.join()).text()),
                second.rank().ordinal() + (checked.isDone() ? 0 : 1));
    }

    private static Outcome steps(GuestRealm realm) {
        Map<String, JsonNode> before = new HashMap<>();
        TIMEOUTS.forEach(timeout -> before.put(timeout, realm.admin().get("").get(timeout)));
        realm.admin().update("", json -> TIMEOUTS.forEach(timeout -> json.put(timeout, LOGIN_TIMEOUT_SECONDS)));
        try {
            Tab tab = realm.newBrowserTab(realm.newPersonWithOtp()).open("app", Map.of());
            tab.answer();
            for (int i = 0; i < 2; i++) {
                Waiting.untilAllIsOlderThan(LOGIN_TIMEOUT_SECONDS - 2);
                tab.submit(Map.of("otp", "000000"));
            }
            return Outcome.of(tab.answer().goOn());
        } finally {
            realm.admin().update("", json -> before.forEach(json::set));
        }
    }
}
