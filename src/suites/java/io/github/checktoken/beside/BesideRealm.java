package io.github.checktoken.beside;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A realm in which people sign in with one flow, and a second realm that is its identity provider. */
final class BesideRealm {

    static final String PERSON = "camille";
    static final String ADDRESS = "camille@home.example.org";

    private static final String CALLBACK = "http://localhost:8999/callback";
    private static final String CLIENT = "app";
    private static final String SECRET = "secret-of-the-realm-beside";
    private static final String PASSWORD = "demo-password";
    private static final Pattern CODE = Pattern.compile("\\b[0-9]{6}\\b");

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final String name;
    private final AdminApi admin;

    /**
     * @param flow the browser flow, from {@code beside-flows.txt}; Keycloak's own if it is not there
     * @param guarded whether its logins are guarded by ours
     */
    BesideRealm(KeycloakServer server, MailServer mailServer, String flow, boolean guarded) {
        this.server = server;
        this.mailServer = mailServer;
        this.name = flow;
        this.admin = new AdminApi(server, name);
        AdminApi realms = new AdminApi(server, "");
        Map<String, Object> upstream = realm(name + "-upstream");
        upstream.put("clients", List.of(client(name, server.realmUrl(name) + "/broker/*")));
        realms.create("", GivenKey.IDENTITY_PROVIDER.addTo(upstream));

        Map<String, Object> realm = realm(name);
        List<Map<String, Object>> flows = FlowText.load("/beside-flows.txt").flows().stream()
                .filter(each ->
                        each.get("alias").equals(flow) || each.get("alias").equals(flow + " forms"))
                .toList();
        realm.put("authenticationFlows", flows);
        if (!flows.isEmpty()) {
            realm.put("browserFlow", flow);
        }
        realm.put("clients", List.of(client(CLIENT, CALLBACK)));
        realm.put("smtpServer", mailServer.settings());
        realm.put("eventsEnabled", true);
        if (guarded) {
            realm.put("attributes", Map.of("checktoken.login.gate", "on"));
        }
        realms.create("", GivenKey.REALM.addTo(realm));
        if (guarded) {
            assertTrue(admin.get("/checktoken/guard").path("guarded").asBoolean());
        }
    }

    private static Map<String, Object> realm(String name) {
        Map<String, Object> person = Map.of(
                "username",
                PERSON,
                "enabled",
                true,
                "email",
                ADDRESS,
                "emailVerified",
                true,
                "firstName",
                "Camille",
                "lastName",
                "Moreau",
                "credentials",
                List.of(Map.of("type", "password", "value", PASSWORD)));
        return new HashMap<>(Map.of("realm", name, "enabled", true, "users", List.of(person)));
    }

    private static Map<String, Object> client(String clientId, String redirectUri) {
        return Map.of("clientId", clientId, "secret", SECRET, "redirectUris", List.of(redirectUri));
    }

    /** Creates an identity provider in which the person of the same name has no account here yet. */
    void createProvider(Map<String, String> further) {
        String endpoints = server.realmUrl(name + "-upstream") + "/protocol/openid-connect/";
        Map<String, String> config = new HashMap<>(further);
        config.putAll(Map.of(
                "clientId",
                name,
                "clientSecret",
                SECRET,
                "clientAuthMethod",
                "client_secret_post",
                "authorizationUrl",
                endpoints + "auth",
                "tokenUrl",
                endpoints + "token",
                "validateSignature",
                "false",
                "disableUserInfo",
                "true",
                "defaultScope",
                "openid profile email"));
        admin.create(
                "/identity-provider/instances",
                Map.of("alias", "provider", "providerId", "oidc", "enabled", true, "config", config));
        admin.delete(admin.user(PERSON));
    }

    AdminApi admin() {
        return admin;
    }

    Browser browser() {
        return new Browser(server);
    }

    HttpResponse<String> open(Browser browser) {
        return browser.get(serviceProvider().request().without("acr_values").url());
    }

    HttpResponse<String> givePassword(Browser browser, HttpResponse<String> page) {
        return browser.givePassword(page, PERSON);
    }

    String mailedLink() {
        return lastMail().link();
    }

    String mailedCode() {
        return CODE.matcher(lastMail().text())
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow();
    }

    private MailServer.Mail lastMail() {
        List<MailServer.Mail> mails = mailServer.mailsTo(ADDRESS);
        return mails.get(mails.size() - 1);
    }

    /** @return how a login ended: with whose ID token, or with which page */
    String end(HttpResponse<String> response) {
        if (response.headers().firstValue("Location").orElse("").startsWith(CALLBACK + "?")) {
            Tokens tokens = serviceProvider().redeem(response);
            return "signed in: "
                    + Tokens.claims(tokens.idToken()).path("preferred_username").asText();
        }
        return response.statusCode() + " " + HtmlPage.of(response).text("#kc-error-message, .alert");
    }

    /** What the realm's endpoint of this name prints to anybody. */
    String endpoint(String name) {
        return Http.send(Http.request(server.realmUrl(this.name) + "/" + name)).body();
    }

    private ServiceProvider serviceProvider() {
        return new ServiceProvider(server, name, CLIENT, SECRET, CALLBACK);
    }
}
