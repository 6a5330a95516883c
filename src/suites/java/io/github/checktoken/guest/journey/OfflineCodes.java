package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Tab;
import io.github.checktoken.guest.realm.TabBrowser;

/** An application redeems the code of a first login that asked for {@code offline_access}. */
final class OfflineCodes {

    private static final int TRIES = 8;
    private static final int FRAMES = 20;

    private OfflineCodes() {}

    static List<Journey> all() {
        return List.of(new Journey(
                "offline", "an offline code is redeemed beside a portal page with 20 frames", OfflineCodes::run));
    }

    private static Outcome run(GuestRealm realm) {
        List<Shown> shown = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
            TabBrowser browser = realm.browser();
            Tab tab = realm.tab(browser, realm.newPerson())
                    .open("app", Map.of("scope", "openid offline_access"))
                    .answer();
            String code = TabBrowser.location(tab.response()).replaceFirst(".*[?&]code=([^&]+).*", "$1");
            try (Load load = new Load(FRAMES, frame -> browser.get(realm.silentRequest("portal-" + (frame % 6 + 1))))) {
                shown.add(Shown.of(realm.client("app")
                        .post(
                                "/protocol/openid-connect/token",
                                Map.of(
                                        "grant_type",
                                        "authorization_code",
                                        "code",
                                        code,
                                        "redirect_uri",
                                        GuestRealm.CALLBACK))));
            }
        }
        return Outcome.ofCrowd("tokens", shown);
    }
}
