package io.github.checktoken.introspection.token;

import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.FreshRealm;

/** A person with a single sign-on session in a browser, and the tokens that the service provider got for it. */
record SignedInPerson(FreshRealm realm, String name, Browser browser, Tokens tokens) {

    static SignedInPerson in(FreshRealm realm) {
        String name = realm.newPerson();
        Browser browser = realm.browser();
        return new SignedInPerson(realm, name, browser, realm.serviceProvider().signIn(browser, name, "openid"));
    }

    String sessionId() {
        return tokens.accessClaims().get("sid").asText();
    }

    /** @return a token for the account API, of another session */
    String accountToken() {
        Map<String, String> grant = Map.of(
                "grant_type", "password", "client_id", "admin-cli", "username", name, "password", "demo-password");
        return Http.json(Http.send(Http.form(realm.url() + "/protocol/openid-connect/token", grant)))
                .get("access_token")
                .asText();
    }

    /** Changes the password in another browser, and signs out from other devices. */
    void changePasswordElsewhere() {
        Browser other = realm.browser();
        realm.serviceProvider()
                .redeem(other.submit(
                        other.givePassword(other.get(realm.request() + "&kc_action=UPDATE_PASSWORD"), name),
                        Map.of(
                                "password-new", "demo-password",
                                "password-confirm", "demo-password",
                                "logout-sessions", "on")));
    }
}
