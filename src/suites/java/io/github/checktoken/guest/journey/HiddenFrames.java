package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.Tab;
import io.github.checktoken.guest.realm.TabBrowser;

/** A page of another site loads the authorization endpoint, again and again, while the person types her password. */
final class HiddenFrames {

    private static final int TRIES = 10;
    private static final int FRAMES = 30;

    private HiddenFrames() {}

    static List<Journey> all() {
        return List.of(new Journey(
                "frames", "30 frames of another site while the person types the password", HiddenFrames::run));
    }

    private static Outcome run(GuestRealm realm) {
        List<Shown> shown = new ArrayList<>();
        int frames = 0;
        for (int i = 0; i < TRIES; i++) {
            TabBrowser browser = realm.browser();
            Tab tab = realm.tab(browser, realm.newPerson()).open("app", Map.of());
            try (Load load =
                    new Load(FRAMES, frame -> browser.get(realm.request("other").url()))) {
                shown.add(tab.answer().shown());
                frames += load.answered();
            }
        }
        Outcome outcome = Outcome.ofCrowd("signed in", shown);
        return new Outcome(outcome.text() + " (" + frames + " frames)", outcome.worth(), outcome.kind());
    }
}
