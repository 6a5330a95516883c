package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A realm of {@code docs/own-realm.sh} with the levels of {@code docs/levels.sh}, bound as the page about {@code acr} says,
 * and three identity providers.
 */
final class LevelsGuideRealm {

    static final String NAME = "levels-guide";
    static final String BROWSER_FLOW = "browser eidas2";
    static final String AFTER_PASSWORD = "eidas2 after a password elsewhere";
    static final String AFTER_KEY = "eidas2 after a key elsewhere";
    static final String PIN = "839174";

    /** An identity provider with the flow {@link #AFTER_PASSWORD}. */
    static final String PASSWORD_ELSEWHERE = "password-elsewhere";

    /** An identity provider with the flow {@link #AFTER_KEY}. */
    static final String KEY_ELSEWHERE = "key-elsewhere";

    /** An identity provider without a post login flow. */
    static final String FORGOTTEN = "forgotten";

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final AdminApi admin;
    private final FreshRealm elsewhere;
    private Path folder;
    private ServiceProvider town;
    private DataProviderClient water;

    LevelsGuideRealm(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.mailServer = mailServer;
        this.admin = new AdminApi(server, NAME);
        this.elsewhere = new FreshRealm(server);
    }

    /** @param folder where the scripts run */
    void make(Path folder) throws IOException, InterruptedException, JOSEException {
        this.folder = folder;
        Bash.find("jq");
        Bash.find("curl");
        RSAKey key = new RSAKeyGenerator(2048).keyID("water-1").generate();
        Files.writeString(folder.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        for (String script : List.of("own-realm.sh", "levels.sh")) {
            Result result = run(script, NAME);
            assertEquals(0, result.status(), result.output());
        }
        town = new ServiceProvider(
                server, NAME, "sp-town", secret("sp-town"), "http://localhost:8999/sp-town/callback");
        water = new DataProviderClient(server.realmUrl(NAME).toString(), "dp-water", secret("dp-water"), key);
        admin.update(
                "",
                realm -> realm.put("browserFlow", BROWSER_FLOW)
                        // It slows down the next login of the same person.
                        .put("bruteForceProtected", false)
                        .putPOJO("smtpServer", mailServer.settings()));
        addIdentityProvider(PASSWORD_ELSEWHERE, "pwd", AFTER_PASSWORD);
        addIdentityProvider(KEY_ELSEWHERE, "pop", AFTER_KEY);
        addIdentityProvider(FORGOTTEN, "pwd", null);
    }

    AdminApi admin() {
        return admin;
    }

    ServiceProvider town() {
        return town;
    }

    DataProviderClient water() {
        return water;
    }

    /** How a service provider asks for {@code eidas2}. */
    enum Asking {
        ACR_VALUES {
            @Override
            AuthorizationRequest with(AuthorizationRequest request) {
                return request.with("acr_values", "eidas2");
            }
        },
        ESSENTIAL_CLAIM {
            @Override
            AuthorizationRequest with(AuthorizationRequest request) {
                return essential(request, "eidas2");
            }
        };

        abstract AuthorizationRequest with(AuthorizationRequest request);
    }

    /** A browser of a person, and the request of the service provider that it has opened last. */
    final class Visit {

        private final Browser browser = new Browser(server);
        private CodeVerifier verifier;

        Browser browser() {
            return browser;
        }

        HttpResponse<String> open() {
            return open(request -> request);
        }

        HttpResponse<String> open(UnaryOperator<AuthorizationRequest> change) {
            verifier = new CodeVerifier();
            return browser.get(change.apply(request(verifier)).url());
        }

        HttpResponse<String> enterPassword(String person, HttpResponse<String> form) {
            return browser.givePassword(form, person);
        }

        HttpResponse<String> enterOneTimePassword(HttpResponse<String> page) {
            return browser.submit(page, Map.of("otp", Totp.code()));
        }

        HttpResponse<String> enterPin(HttpResponse<String> page) {
            return browser.submit(page, Map.of("pin", PIN));
        }

        /** Enters the password, and the code that Keycloak sends then. */
        HttpResponse<String> enterCode(String person, HttpResponse<String> form) {
            HttpResponse<String> page = enterPassword(person, form);
            String code = mailServer.newestCode(person + "@example.org").orElseThrow();
            return browser.submit(page, Map.of("code", code));
        }

        Tokens signIn(String person, HttpResponse<String> form) {
            return redeem(enterPassword(person, form));
        }

        Tokens redeem(HttpResponse<String> redirect) {
            return town.redeem(redirect, verifier);
        }
    }

    /** Somebody who signs in at an identity provider, and has only these credentials here. */
    final class Guest {

        private final String alias;
        private final String nameElsewhere = elsewhere.newPerson();

        @SafeVarargs
        Guest(String alias, Map<String, String>... credentials) {
            this.alias = alias;
            String person = new DemoPerson(admin, List.of(credentials), List.of()).name();
            admin.post(
                    admin.user(person) + "/federated-identity/" + alias,
                    Map.of(
                            "identityProvider", alias,
                            "userId", id(elsewhere.admin(), nameElsewhere),
                            "userName", nameElsewhere));
        }

        HttpResponse<String> signInElsewhere(Visit visit, HttpResponse<String> form) {
            return visit.enterPassword(nameElsewhere, visit.browser.chooseProvider(form, alias));
        }
    }

    /** @param more what the person has besides the password */
    @SafeVarargs
    final String newPerson(Map<String, String>... more) {
        List<Map<String, String>> credentials = new ArrayList<>(List.of(DemoPerson.PASSWORD));
        credentials.addAll(List.of(more));
        return new DemoPerson(admin, credentials, List.of()).name();
    }

    /** @return a request of the service provider for no level */
    AuthorizationRequest request(CodeVerifier verifier) {
        return town.request()
                .without("acr_values")
                .with("scope", "openid water_bills")
                .askingForAmr()
                .challenging(verifier, CodeChallengeMethod.S256);
    }

    static AuthorizationRequest essential(AuthorizationRequest request, String level) {
        return request.with(
                "claims",
                "{\"id_token\":{\"amr\":{\"essential\":true},\"acr\":{\"essential\":true,\"values\":[\"" + level
                        + "\"]}}}");
    }

    /** The data provider learns the same level as the service provider. */
    void assertLevel(String acr, String amr, Tokens tokens) {
        assertEquals(acr, tokens.acr());
        assertEquals(amr, tokens.amr());
        assertEquals(acr, water.check(tokens.accessToken()).introspection().get("acr"));
    }

    static void assertRefused(HttpResponse<String> page) {
        assertEquals(401, page.statusCode(), page::body);
        assertShows("This service asks for a second way to show who you are", page);
        assertHas("#way-on a[href$='/realms/" + NAME + "/account/account-security/signing-in']", page);
    }

    /** @param script in the folder docs */
    Result run(String script, String realmName) throws IOException, InterruptedException {
        return Bash.run(
                folder,
                Map.of(
                        "SERVER",
                        server.baseUrl().toString(),
                        "ADMIN",
                        KeycloakServer.ADMIN,
                        "REALM_NAME",
                        realmName,
                        "PERSON_PASSWORD",
                        "demo-password"),
                Path.of("docs", script).toAbsolutePath().toString());
    }

    /** @param flow its post login flow, or null */
    private void addIdentityProvider(String alias, String amr, String flow) {
        String secret = "secret-of-" + alias + "-of-32-bytes-or-more";
        elsewhere
                .admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId", alias,
                                "secret", secret,
                                "redirectUris", List.of(server.realmUrl(NAME) + "/broker/" + alias + "/endpoint")));
        String metadata = server.realmUrl(elsewhere.name()) + "/.well-known/openid-configuration";
        ObjectNode config = (ObjectNode) Http.json(admin.send(
                "POST", "/identity-provider/import-config", Map.of("providerId", "oidc", "fromUrl", metadata)));
        config.put("clientId", alias)
                .put("clientSecret", secret)
                .put("clientAuthMethod", "client_secret_post")
                .put("defaultScope", "openid")
                .put("syncMode", "IMPORT");
        ObjectNode provider = Http.JSON
                .createObjectNode()
                .put("alias", alias)
                .put("providerId", "oidc")
                .put("enabled", true)
                .put("postBrokerLoginFlowAlias", flow);
        provider.set("config", config);
        admin.create("/identity-provider/instances", provider);
        admin.create(
                "/identity-provider/instances/" + alias + "/mappers",
                Map.of(
                        "name",
                        "amr",
                        "identityProviderAlias",
                        alias,
                        "identityProviderMapper",
                        "oidc-amr-idp-mapper",
                        "config",
                        Map.of("syncMode", "INHERIT", "amr.default", amr)));
    }

    private static String id(AdminApi realm, String person) {
        return realm.user(person).replace("/users/", "");
    }

    private String secret(String clientId) {
        return admin.get(admin.client(clientId) + "/client-secret").get("value").asText();
    }
}
