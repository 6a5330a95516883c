package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.checktoken.login.gate.honest.SamlRequest;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A SAML client wants the user to sign in again, whatever becomes of the login. */
@ExtendWith(KeycloakExtension.class)
class ForcedSamlLoginIT {

    private static final String CLIENT = "saml";

    private final GateRealm realm;

    ForcedSamlLoginIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        realm.admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId",
                                CLIENT,
                                "protocol",
                                "saml",
                                "redirectUris",
                                List.of(WalkRealm.CALLBACK),
                                "attributes",
                                Map.of("saml.client.signature", "false", "saml.server.signature", "false")));
    }

    @Test
    void userSignsInAgainIfTheLoginBeginsAnewWithoutItsTabs() {
        ScriptedBrowser browser = realm.browser();
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(realm.accounts().person("v", false)));
        ScriptedBrowser forced = realm.browser();
        Stream.of("AUTH_SESSION_ID", "KC_AUTH_SESSION_HASH", "KEYCLOAK_IDENTITY", "KEYCLOAK_SESSION")
                .forEach(cookie -> forced.copyCookie(cookie, browser));
        forced.open(SamlRequest.url(realm.url(), CLIENT, true));
        forced.sees(Page.Kind.PASSWORD);
        String tab = Walk.parameter(forced.page().form().action(), "tab_id");
        forced.deleteCookie("AUTH_SESSION_ID");
        forced.open(realm.url() + "/login-actions/authenticate?client_id=" + CLIENT + "&tab_id=" + tab);

        forced.sees(Page.Kind.PASSWORD);
    }
}
