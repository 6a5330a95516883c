package io.github.checktoken.guest.journey;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Tab;
import io.github.checktoken.guest.realm.TabBrowser;
import io.github.checktoken.walk.browser.Page;

/**
 * A person with three tabs of one browser does at random what pages offer and browsers allow. A seed draws the same steps
 * in each set-up, as long as the pages are the same.
 *
 * <p>In every second walk, she also signs out or registers, with which Keycloak forgets who is signed in. In a guarded
 * realm, a page from before then begins its login anew, so what she sees from there is compared in the others alone.
 */
final class RandomSteps {

    private static final int SEED = Integer.getInteger("guest.seed", 1);
    private static final int WALKS = Integer.getInteger("guest.walks", 100);
    private static final int STEPS = 20;
    private static final int TABS = 3;

    /** All prove something, so that a guarded realm must serve them, too. */
    private static final List<String> CLIENTS = List.of(
            "app",
            "other",
            "portal-1",
            "username-then-password",
            "step-up",
            "allowed-by-role",
            "level-two-allowed",
            "two-sessions-then-refused",
            "two-sessions-then-the-oldest-ends");

    private static final List<Map<String, String>> PARAMETERS = List.of(
            Map.of(),
            Map.of("prompt", "login"),
            Map.of("acr_values", "2"),
            Map.of("kc_idp_hint", "provider"),
            Map.of("kc_idp_hint", "provider-without-search"),
            Map.of("kc_action", "UPDATE_PASSWORD"));

    private final GuestRealm realm;
    private final Random random;
    private final Person person;
    private final TabBrowser browser;
    private final List<Tab> tabs = new ArrayList<>();
    private final List<HttpResponse<String>> earlier = new ArrayList<>();
    private final boolean leaves;
    private final StringBuilder text = new StringBuilder();
    private double worth;
    private boolean left;

    private RandomSteps(GuestRealm realm, int seed) {
        this.leaves = seed % 2 == 0;
        this.realm = realm;
        this.random = new Random(seed);
        this.person = person(realm);
        this.browser = realm.browser();
        for (int i = 0; i < TABS; i++) {
            tabs.add(realm.tab(browser, person));
        }
    }

    static List<Journey> all() {
        return IntStream.range(SEED, SEED + WALKS)
                .mapToObj(seed ->
                        new Journey("walk", "random steps, seed " + seed, realm -> new RandomSteps(realm, seed).walk()))
                .toList();
    }

    private Person person(GuestRealm realm) {
        Person somebody = switch (random.nextInt(4)) {
            case 0 -> realm.stranger();
            case 1 -> realm.newPersonWithOtp();
            default -> realm.newPerson();
        };
        if (random.nextBoolean()) {
            realm.atTheProvider(somebody);
        }
        return somebody;
    }

    /** Of two outcomes, the one with the better answer at the first step that differs is worth more. */
    private Outcome walk() {
        double weight = 1;
        for (int i = 0; i < STEPS; i++) {
            int number = random.nextInt(TABS);
            Tab tab = tabs.get(number);
            text.append(text.isEmpty() ? "" : "; ")
                    .append("tab ")
                    .append(number)
                    .append(' ');
            Shown shown = step(tab);
            weight /= Shown.Rank.values().length;
            worth += weight * (left ? Shown.Rank.SIGNED_IN : shown.rank()).ordinal();
            text.append(shown.text());
        }
        return Outcome.of(text.toString(), worth);
    }

    private Shown step(Tab tab) {
        int what = random.nextInt(14);
        if (tab.response() == null || what < 2) {
            open(tab);
        } else if (what == 2) {
            note("silent");
            return Shown.of(browser.get(realm.silentRequest(CLIENTS.get(random.nextInt(CLIENTS.size())))));
        } else if (what == 3 && leaves) {
            note("sign out");
            left = true;
            tab.show(browser.get(realm.signOut("app")));
        } else if (what == 4) {
            note("mail");
            // Keycloak sends it after its answer.
            Crowd.pause(200);
            tab.openMail();
        } else if (what == 5) {
            note("reload");
            tab.show(browser.get(tab.response().uri().toString()));
        } else {
            if (what == 6) {
                text.append("back, ");
                tab.show(earlier.get(random.nextInt(earlier.size())));
            }
            onThePage(tab, what);
        }
        earlier.add(tab.response());
        return tab.shown();
    }

    private void open(Tab tab) {
        String client = CLIENTS.get(random.nextInt(CLIENTS.size()));
        Map<String, String> parameters =
                random.nextBoolean() ? Map.of() : PARAMETERS.get(random.nextInt(PARAMETERS.size()));
        if (leaves && random.nextInt(8) == 0) {
            parameters = Map.of("prompt", "create");
            left = true;
        }
        note("open " + client + (parameters.isEmpty() ? "" : " " + parameters));
        tab.open(client, parameters);
    }

    private void onThePage(Tab tab, int what) {
        Page page = tab.page();
        List<String> links = page.links().stream()
                .filter(link -> link.startsWith(realm.url()) && (leaves || !link.contains("registration")))
                .toList();
        if (page.form() == null && links.isEmpty()) {
            open(tab);
        } else if (page.form() == null || what == 7 && !links.isEmpty()) {
            int link = random.nextInt(links.size());
            note("link " + link);
            left |= links.get(link).contains("registration");
            tab.show(browser.get(links.get(link)));
        } else if (what == 8) {
            note("wrong");
            Map<String, String> fields = tab.fields();
            fields.computeIfPresent("password", (name, right) -> "wrong");
            fields.computeIfPresent("otp", (name, right) -> "000000");
            tab.submit(fields);
        } else if (what == 9) {
            note("twice");
            browser.postOnly(page.form().action(), tab.fields());
            tab.answer();
        } else {
            note("answer");
            tab.answer();
        }
    }

    private void note(String step) {
        text.append(step).append(": ");
    }
}
