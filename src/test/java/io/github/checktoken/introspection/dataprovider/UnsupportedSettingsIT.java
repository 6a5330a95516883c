package io.github.checktoken.introspection.dataprovider;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Settings with which no answer can be made are rejected when they are saved, if Keycloak lets the mapper check them
 * then. Otherwise the call is rejected.
 */
@ExtendWith(KeycloakExtension.class)
class UnsupportedSettingsIT {

    private static final String SIGNATURE = "introspection.signed.response.alg";

    private final Federation federation;

    UnsupportedSettingsIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @CsvSource({
        "introspection.signed.response.alg,    none",
        "introspection.signed.response.alg,    HS256",
        "introspection.encrypted.response.alg, RSA1_5",
        "introspection.encrypted.response.alg, dir",
        "introspection.encrypted.response.enc, A256KW",
        "identity.requires.scope,              yes",
        "auth.time.disclosed,                  on"
    })
    void unsupportedSettingOfAClientsJsonIsA500WithItsNameInTheEvent(String setting, String value) {
        DataProviderClient client =
                federation.newDataProvider().setting(setting, value).create();

        assertServerError(client.post("any-token"));
        assertEquals(setting + " is not supported: " + value, reasonOfOnlyEvent(client));
    }

    @Test
    void hugeSettingDoesNotFillTheLog() throws IOException {
        DataProviderClient client = federation
                .newDataProvider()
                .setting("introspection.encrypted.response.alg", "x".repeat(1_000_000))
                .create();
        long before = Files.size(federation.server().log());

        for (int call = 0; call < 3; call++) {
            assertServerError(client.post("any-token"));
        }
        assertTrue(Files.size(federation.server().log()) - before < 1_000_000);
    }

    @Test
    void signingAlgorithmWithoutRealmKeyIsA500AndCreatesNone() {
        DataProviderClient client =
                federation.newDataProvider().signedWith("RS384").create();
        JsonNode before = keyProviders();

        assertServerError(client.post("any-token"));
        assertEquals("the realm has no active key for RS384", reasonOfOnlyEvent(client));
        assertEquals(before, keyProviders());
    }

    @ParameterizedTest
    @CsvSource({
        "introspection.signed.response.alg,    none",
        "introspection.encrypted.response.alg, RSA1_5",
        "introspection.encrypted.response.enc, A256KW",
        "identity.requires.scope,              yes"
    })
    void saveOfTheMapperRefusesAnUnsupportedSettingAndNamesIt(String setting, String value) {
        HttpResponse<String> refused = federation
                .admin()
                .send("POST", mappersOf(federation.newDataProvider().create()), mapper(setting, value));

        assertEquals(400, refused.statusCode());
        assertEquals(
                "The setting " + setting + " does not support the value “" + value + "”. Choose one from its list.",
                Http.json(refused.body()).path("error_description").asText());
    }

    @Test
    void saveOfTheMapperRefusesAContactThatIsNoAddressAndDoesNotQuoteIt() {
        LogSearch.add("contact", "contact-at-dp.example.org");
        HttpResponse<String> refused = federation
                .admin()
                .send(
                        "POST",
                        mappersOf(federation.newDataProvider().create()),
                        mapper("contact.address", "contact-at-dp.example.org"));

        assertEquals(400, refused.statusCode());
        assertEquals(
                "The contact address is not an e-mail address. Correct it, or leave it blank.",
                Http.json(refused.body()).path("error_description").asText());
    }

    /** No answer depends on it. */
    @Test
    void contactOfAClientsJsonThatIsNoAddressChangesNoAnswer() {
        federation
                .newDataProvider()
                .setting("contact.address", "contact-at-dp.example.org")
                .create()
                .check("any-token");
    }

    @Test
    void frenchAdministratorReadsTheRefusalInFrench() {
        String path = mappersOf(federation.newDataProvider().create());

        HttpResponse<String> refused =
                Http.send(Http.request(federation.server().baseUrl() + "/admin/realms/" + federation.realm() + path)
                        .header("Authorization", "Bearer " + frenchAdministrator())
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(
                                Http.JSON.valueToTree(mapper(SIGNATURE, "none")).toString())));

        assertEquals(400, refused.statusCode(), refused.body());
        assertEquals(
                "Le réglage " + SIGNATURE + " n’accepte pas la valeur « none ». Choisissez-en une dans sa liste.",
                Http.json(refused.body()).path("error_description").asText());
    }

    @Test
    void saveOfTheMapperAcceptsEverySettingLeftBlank() {
        String path = mappersOf(federation.newDataProvider().create());

        HttpResponse<String> saved = federation.admin().send("POST", path, mapper(SIGNATURE, ""));

        assertEquals(201, saved.statusCode(), saved.body());
    }

    /** A mapper that is there goes on signing with RS256, because its data provider relies on that. */
    @Test
    void newMapperSignsWithEs256IfTheRealmHasAKeyForIt() {
        String path = mappersOf(federation.newDataProvider().create());
        JsonNode old = federation.admin().get(path).get(0);
        federation.admin().put(path + "/" + old.get("id").asText(), old);
        String created = federation.admin().create(path, mapper(SIGNATURE, ""));

        assertEquals("", signature(federation.admin(), path, old.get("id").asText()));
        assertEquals("ES256", signature(federation.admin(), path, created));
    }

    @Test
    void newMapperSignsWithRs256IfTheRealmHasNoKeyForEs256(KeycloakServer server) {
        AdminApi admin = new FreshRealm(server).admin();
        String path = admin.client(FreshRealm.CLIENT) + "/protocol-mappers/models";

        assertEquals("", signature(admin, path, admin.create(path, mapper(SIGNATURE, ""))));
        assertEquals("RS384", signature(admin, path, admin.create(path, mapper("Other", SIGNATURE, "RS384"))));
    }

    private static String signature(AdminApi admin, String path, String id) {
        return admin.get(path + "/" + id).path("config").path(SIGNATURE).asText();
    }

    private String mappersOf(DataProviderClient client) {
        return federation.admin().client(client.clientId()) + "/protocol-mappers/models";
    }

    private static Map<String, Object> mapper(String setting, String value) {
        return mapper("Another", setting, value);
    }

    private static Map<String, Object> mapper(String name, String setting, String value) {
        return NewDataProvider.mapperJson(name, "oidc-data-provider-mapper", Map.of(setting, value));
    }

    private JsonNode keyProviders() {
        return federation.admin().get("/components?type=org.keycloak.keys.KeyProvider");
    }

    private static void assertServerError(HttpResponse<String> response) {
        assertEquals(500, response.statusCode(), response.body());
        assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(null));
        assertEquals("server_error", Http.json(response.body()).path("error").asText());
        assertTrue(response.body().contains("The answer could not be made."));
    }

    private String reasonOfOnlyEvent(DataProviderClient client) {
        JsonNode events = federation.admin().get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + client.clientId());
        assertEquals(1, events.size());
        return events.get(0).path("details").path("reason").asText();
    }

    /** @return the token of an administrator of this realm whose language is French */
    private String frenchAdministrator() {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("clientId", "french-console");
        client.put("secret", "french-secret");
        client.put("serviceAccountsEnabled", true);
        client.put("fullScopeAllowed", true);
        client.put(
                "protocolMappers",
                List.of(Map.of(
                        "name", "locale",
                        "protocol", "openid-connect",
                        "protocolMapper", "oidc-hardcoded-claim-mapper",
                        "config",
                                Map.of(
                                        "claim.name", "locale",
                                        "claim.value", "fr",
                                        "jsonType.label", "String",
                                        "access.token.claim", "true"))));
        String id = federation.admin().create("/clients", client);
        String user = federation
                .admin()
                .get("/clients/" + id + "/service-account-user")
                .get("id")
                .asText();
        String management = federation.admin().client("realm-management");
        JsonNode role = federation.admin().get(management + "/roles/realm-admin");
        federation
                .admin()
                .post(
                        "/users/" + user + "/role-mappings" + management,
                        List.of(Http.JSON.convertValue(role, Map.class)));
        return new ServiceProvider(federation.server(), federation.realm(), "french-console", "french-secret", "")
                .token(Map.of("grant_type", "client_credentials"))
                .accessToken();
    }
}
