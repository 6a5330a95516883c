package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Shown.Rank;
import io.github.checktoken.guest.realm.TabBrowser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;

/** Sign-outs and refreshes of a session whose browser is busy. */
final class SessionsUnderLoad {

    private static final int FRAMES = 20;
    private static final int SIGN_OUTS = 8;
    private static final int REFRESHES = 30;

    private SessionsUnderLoad() {}

    static List<Journey> all() {
        return List.of(
                new Journey("load", "8 sign-outs, each beside 20 frames of the browser", realm -> {
                    List<Shown> shown = new ArrayList<>();
                    for (int i = 0; i < SIGN_OUTS; i++) {
                        TabBrowser browser = realm.browser();
                        Tokens tokens = realm.signIn(browser, realm.newPerson(), "app");
                        try (Load load = frames(realm, browser)) {
                            shown.add(signOut(realm, browser, tokens));
                        }
                    }
                    return Outcome.ofCrowd("signed out", shown);
                }),
                new Journey("load", "30 refreshes of one session at once, beside 20 frames of the browser", realm -> {
                    TabBrowser browser = realm.browser();
                    Tokens tokens = realm.signIn(browser, realm.newPerson(), "app");
                    try (Load load = frames(realm, browser)) {
                        return Outcome.ofCrowd("refreshed", Crowd.atOnce(REFRESHES, () -> refresh(realm, tokens)));
                    }
                }));
    }

    private static Load frames(GuestRealm realm, TabBrowser browser) {
        return new Load(FRAMES, frame -> browser.get(realm.silentRequest("portal-" + (frame % 6 + 1))));
    }

    private static Shown refresh(GuestRealm realm, Tokens tokens) {
        return Shown.of(realm.client("app")
                .post(
                        "/protocol/openid-connect/token",
                        Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken())));
    }

    static Shown signOut(GuestRealm realm, TabBrowser browser, Tokens tokens) {
        Shown shown = Shown.of(browser.get(realm.url() + "/protocol/openid-connect/logout?"
                + Http.encode(
                        Map.of("id_token_hint", tokens.idToken(), "post_logout_redirect_uri", GuestRealm.CALLBACK))));
        return shown.text().equals(Shown.BACK) ? new Shown("signed out", Rank.SIGNED_IN) : shown;
    }
}
