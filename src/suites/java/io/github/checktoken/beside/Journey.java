package io.github.checktoken.beside;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.checktoken.support.browser.Browser;

/**
 * What somebody does in a realm that uses an extension of others.
 *
 * @param flow the name of the realm and of its browser flow
 * @param end how it must end, with our JAR and without it
 */
record Journey(OtherExtension extension, String name, String flow, String end, Function<BesideRealm, String> steps) {

    private static final String SIGNED_IN = "signed in: " + BesideRealm.PERSON;

    static List<Journey> all() {
        return List.of(
                new Journey(OtherExtension.MAGIC_LINK, "link in the same browser", "magic-link", SIGNED_IN, realm -> {
                    Browser browser = realm.browser();
                    browser.submit(realm.open(browser), Map.of("username", BesideRealm.ADDRESS));
                    return realm.end(browser.get(realm.mailedLink()));
                }),
                new Journey(OtherExtension.MAGIC_LINK, "link in another browser", "magic-link", SIGNED_IN, realm -> {
                    Browser browser = realm.browser();
                    browser.submit(realm.open(browser), Map.of("username", BesideRealm.ADDRESS));
                    return realm.end(realm.browser().get(realm.mailedLink()));
                }),
                new Journey(
                        OtherExtension.MAGIC_LINK,
                        "code as the only proof",
                        "magic-link-code",
                        SIGNED_IN,
                        realm -> mailedCode(realm, Map.of("username", BesideRealm.ADDRESS), "otp")),
                new Journey(
                        OtherExtension.EMAIL_AUTHENTICATOR,
                        "password and code",
                        "email-authenticator",
                        SIGNED_IN,
                        realm -> mailedCode(
                                realm,
                                Map.of("username", BesideRealm.PERSON, "password", "demo-password"),
                                "emailCode")),
                new Journey(
                        OtherExtension.EMAIL_AUTHENTICATOR,
                        "code as the only proof",
                        "email-authenticator-alone",
                        SIGNED_IN,
                        realm -> mailedCode(realm, Map.of("username", BesideRealm.PERSON), "emailCode")),
                new Journey(
                        OtherExtension.HOME_IDP_DISCOVERY,
                        "address leads to the identity provider",
                        "home-idp",
                        SIGNED_IN,
                        Journey::atTheProvider),
                new Journey(
                        OtherExtension.RESTRICT_CLIENT_AUTH,
                        "client for everybody",
                        "restrict-client-auth",
                        SIGNED_IN,
                        Journey::password),
                new Journey(
                        OtherExtension.RESTRICT_CLIENT_AUTH,
                        "client for others",
                        "restrict-client-auth",
                        "403 Access denied",
                        realm -> {
                            String client = realm.admin().client("app");
                            realm.admin().create(client + "/roles", Map.of("name", "restricted-access"));
                            return password(realm);
                        }),
                new Journey(OtherExtension.METRICS, "password, counted", "metrics", SIGNED_IN + ", counted", realm -> {
                    realm.admin()
                            .update(
                                    "",
                                    settings -> settings.withArray("/eventsListeners")
                                            .add("metrics-listener"));
                    String end = password(realm);
                    String counted = "keycloak_logins_total{realm=\"metrics\"";
                    return end + (realm.endpoint("metrics").contains(counted) ? ", counted" : "");
                }));
    }

    private static String password(BesideRealm realm) {
        Browser browser = realm.browser();
        return realm.end(realm.givePassword(browser, realm.open(browser)));
    }

    private static String mailedCode(BesideRealm realm, Map<String, String> first, String field) {
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.submit(realm.open(browser), first);
        return realm.end(browser.submit(page, Map.of(field, realm.mailedCode())));
    }

    private static String atTheProvider(BesideRealm realm) {
        realm.createProvider(Map.of("home.idp.discovery.domains", "home.example.org"));
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.submit(realm.open(browser), Map.of("username", BesideRealm.ADDRESS));
        return realm.end(realm.givePassword(browser, page));
    }

    @Override
    public String toString() {
        return extension + ": " + name;
    }
}
