package io.github.checktoken.guest.journey;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.TabBrowser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;

/** A policy enforcer asks for permissions with a person's token (User-Managed Access 2.0). */
final class PermissionRequests {

    private PermissionRequests() {}

    static List<Journey> all() {
        return List.of(
                new Journey("uma", "34 permission requests with one person's token at once, twice", realm -> {
                    String token = realm.signIn(realm.browser(), realm.newPerson(), "app")
                            .accessToken();
                    List<Shown> shown = new ArrayList<>(Crowd.atOnce(34, () -> Shown.of(ask(realm, token))));
                    shown.addAll(Crowd.atOnce(34, () -> Shown.of(ask(realm, token))));
                    return Outcome.ofCrowd("granted", shown);
                }),
                new Journey(
                        "uma",
                        "8 times single sign-on and a sign-out, while her token is used on 24 connections",
                        PermissionRequests::signOn));
    }

    private static HttpResponse<String> ask(GuestRealm realm, String token) {
        return Http.send(Http.form(
                        realm.url() + "/protocol/openid-connect/token",
                        Map.of(
                                "grant_type", "urn:ietf:params:oauth:grant-type:uma-ticket",
                                "audience", "documents",
                                "permission", "document"))
                .header("Authorization", "Bearer " + token));
    }

    private static Outcome signOn(GuestRealm realm) {
        TabBrowser browser = realm.browser();
        Tokens tokens = realm.signIn(browser, realm.newPerson(), "app");
        List<Shown> shown = new ArrayList<>();
        try (Load load = new Load(24, connection -> ask(realm, tokens.accessToken()))) {
            for (int i = 0; i < 8; i++) {
                shown.add(Shown.of(browser.get(realm.request("other").url())));
            }
            shown.add(SessionsUnderLoad.signOut(realm, browser, tokens));
        }
        return Outcome.ofCrowd("served", shown);
    }
}
