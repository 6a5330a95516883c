package io.github.checktoken.demo;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Some tokens allow changes to a person's account, including the factors and the e-mail address. The demo realm issues
 * such a token only after its login pages, and never to a service provider.
 */
@ExtendWith(KeycloakExtension.class)
class AccountTokensIT {

    private static final Map<String, String> CAMILLE = Map.of("username", "camille", "password", "demo-password");

    private final Federation federation;
    private final AdminApi admin;

    AccountTokensIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @ParameterizedTest
    @ValueSource(strings = {"admin-cli", "account", "account-console", "security-admin-console"})
    void noDirectGrantForAClientThatEveryRealmHas(String clientId) {
        Map<String, String> form = new HashMap<>(CAMILLE);
        form.put("client_id", clientId);
        assertNoToken(directGrant(federation.url(), form));
    }

    /** The realm closes the grant, so switching it on for a client does not open it. */
    @Test
    void noDirectGrantForAClientThatIsAllowedOne() {
        String path = admin.client("sp-town");
        admin.update(path, client -> client.put("directAccessGrantsEnabled", true));
        try {
            Map<String, String> form = new HashMap<>(CAMILLE);
            form.put("grant_type", "password");
            assertNoToken(federation.town().post("/protocol/openid-connect/token", form));
        } finally {
            admin.update(path, client -> client.put("directAccessGrantsEnabled", false));
        }
    }

    /** Otherwise anybody could lock a person out with wrong passwords. */
    @Test
    void closedGrantCountsNoFailure() {
        admin.update("", realm -> realm.put("bruteForceProtected", true));
        try (DemoPerson person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of())) {
            Map<String, String> form = Map.of("client_id", "admin-cli", "username", person.name(), "password", "wrong");
            assertNoToken(directGrant(federation.url(), form));
            JsonNode counted = admin.get("/attack-detection/brute-force" + admin.user(person.name()));
            assertEquals(0, counted.get("numFailures").asInt());
        } finally {
            admin.update("", realm -> realm.put("bruteForceProtected", false));
        }
    }

    @ParameterizedTest
    @CsvSource({"sp-town", "sp-bank"})
    void serviceProvidersTokenDoesNotOpenTheAccountApi(String clientId) {
        ServiceProvider client = clientId.equals("sp-town") ? federation.town() : federation.bank();
        StringBuilder scopes = new StringBuilder("openid");
        admin.get(admin.client(clientId) + "/optional-client-scopes")
                .forEach(scope -> scopes.append(' ').append(scope.get("name").asText()));
        String token = client.signIn("camille", scopes.toString()).accessToken();
        assertEquals(401, account(federation.url(), token).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"roles", "profile", "openid roles"})
    void serviceProviderCannotAskForMore(String scope) {
        HttpResponse<String> answer = new Browser(federation.server())
                .get(federation.town().request().with("scope", scope).url());
        assertTrue(answer.headers().firstValue("Location").orElse("").contains("error=invalid_scope"), answer::body);
    }

    @ParameterizedTest
    @CsvSource({
        "/protocol/openid-connect/auth/device, scope, openid",
        "/protocol/openid-connect/token, grant_type, client_credentials"
    })
    void noOtherGrantIsOpenToAServiceProvider(String path, String parameter, String value) {
        assertNoToken(federation.town().post(path, Map.of(parameter, value)));
    }

    /** The tests' server has a preview feature of Keycloak on, which lets a client exchange its own tokens. */
    @Test
    void exchangedTokenDoesNotOpenTheAccountApiEither() {
        Tokens tokens = federation
                .town()
                .token(Map.of(
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token",
                        federation.town().signIn("camille", "openid").accessToken(),
                        "subject_token_type",
                        "urn:ietf:params:oauth:token-type:access_token"));
        assertEquals(401, account(federation.url(), tokens.accessToken()).statusCode());
    }

    /**
     * Checks the settings, because a single request cannot try some of these grants: they need a phone (CIBA), a
     * trusted issuer or a SAML client.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sp-town",
                "sp-bank",
                "dp-tax",
                "dp-health",
                "admin-cli",
                "account",
                "account-console",
                "security-admin-console"
            })
    void noOtherGrantIsSwitchedOn(String clientId) {
        JsonNode client = admin.get(admin.client(clientId));
        assertFalse(client.get("serviceAccountsEnabled").asBoolean());
        assertFalse(client.get("implicitFlowEnabled").asBoolean());
        for (String grant : List.of(
                "oauth2.device.authorization.grant.enabled",
                "oidc.ciba.grant.enabled",
                "standard.token.exchange.enabled",
                "oauth2.jwt.authorization.grant.enabled",
                "saml.allow.ecp.flow")) {
            assertFalse(client.get("attributes").path(grant).asBoolean(), grant);
        }
    }

    @Test
    void strangersRegisterNoClient() {
        HttpResponse<String> answer = Http.send(Http.request(federation.url() + "/clients-registrations/openid-connect")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"redirect_uris\":[\"https://example.org/\"]}")));
        assertEquals(403, answer.statusCode(), answer::body);
    }

    /** Follows the steps of docs/pin-and-email-code.md in a new realm with Keycloak's defaults. */
    @Test
    void directGrantOfANewRealmIsOpenUntilItIsClosedAsTheGuideSays() {
        String name = "new-" + UUID.randomUUID();
        new AdminApi(federation.server(), "").create("", GivenKey.REALM.addTo(Map.of("realm", name, "enabled", true)));
        AdminApi newRealm = new AdminApi(federation.server(), name);
        String url = federation.server().realmUrl(name).toString();
        newRealm.create(
                "/users",
                Map.of(
                        "username",
                        "camille",
                        "email",
                        "camille@example.org",
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "enabled",
                        true,
                        "credentials",
                        List.of(DemoPerson.PASSWORD)));
        Map<String, String> form = new HashMap<>(CAMILLE);
        form.put("client_id", "admin-cli");
        JsonNode open = Http.json(directGrant(url, form));
        assertEquals(200, account(url, open.get("access_token").asText()).statusCode());

        newRealm.create(
                "/authentication/flows",
                Map.of("alias", "closed", "providerId", "basic-flow", "topLevel", true, "builtIn", false));
        newRealm.create(
                "/authentication/flows/closed/executions/execution", Map.of("provider", "deny-access-authenticator"));
        newRealm.get("/authentication/flows/closed/executions")
                .forEach(execution -> newRealm.put(
                        "/authentication/flows/closed/executions",
                        ((ObjectNode) execution).put("requirement", "REQUIRED")));
        newRealm.update("", realm -> realm.put("directGrantFlow", "closed"));
        assertNoToken(directGrant(url, form));
    }

    private static HttpResponse<String> directGrant(String realmUrl, Map<String, String> form) {
        Map<String, String> grant = new HashMap<>(form);
        grant.put("grant_type", "password");
        return Http.send(Http.form(realmUrl + "/protocol/openid-connect/token", grant));
    }

    private static HttpResponse<String> account(String realmUrl, String token) {
        return Http.send(Http.request(realmUrl + "/account/credentials")
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json"));
    }

    private static void assertNoToken(HttpResponse<String> response) {
        assertTrue(response.statusCode() >= 400 && response.statusCode() < 500, response::body);
        assertFalse(response.body().contains("access_token"), response::body);
        assertFalse(response.body().contains("device_code"), response::body);
    }
}
