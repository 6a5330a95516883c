package io.github.checktoken.introspection.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What one data provider may learn, {@code data-provider}, and the map of the federation, {@code federation}. */
@ExtendWith(KeycloakExtension.class)
class DataProviderDetailIT {

    private final Federation federation;
    private final AdminApi admin;

    DataProviderDetailIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void claimsAreThoseOfEachAnswerAndThoseOfEachScope() {
        String scope = scope("nationality", "String");
        JsonNode detail = detail(federation
                .newDataProvider()
                .optionalScopes(scope, "tax_income")
                .mapper("oidc-usermodel-attribute-mapper", attribute("shoe_size", "int"))
                .create());
        assertEquals(
                Http.json("[\"birthcountry\",\"birthdate\",\"birthplace\",\"family_name\",\"gender\",\"given_name\","
                        + "\"given_name_array\",\"shoe_size\"]"),
                detail.path("claims"));
        assertEquals(
                Http.json("{\"%s\":[\"nationality\"],\"tax_income\":[]}".formatted(scope)),
                detail.path("claimsByScope"));
        assertFalse(detail.at("/status/identityRequiresScope").asBoolean());
    }

    @Test
    void exampleHasTheMembersOfARealAnswer() {
        DataProviderClient client = federation
                .newDataProvider()
                .optionalScopes("tax_income", "tax_household")
                .setting("auth.time.disclosed", "true")
                .telling("auth_time")
                .create();
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        Map<String, Object> real = client.check(token).payload();
        JsonNode example = detail(client).path("example");
        assertEquals(names(Http.JSON.valueToTree(real)), names(example));
        assertEquals(
                names(Http.JSON.valueToTree(real.get("token_introspection"))),
                names(example.path("token_introspection")));
        assertEquals(real.get("iss"), example.path("iss").asText());
        assertEquals(client.clientId(), example.path("aud").asText());
    }

    @Test
    void exampleIsOfAnInventedPerson() {
        DataProviderClient client = federation
                .newDataProvider()
                .optionalScopes(scope("nationality", "String"))
                .mapper("oidc-usermodel-attribute-mapper", attribute("shoe_size", "int"))
                .mapper("oidc-usermodel-attribute-mapper", attribute("member", "boolean"))
                .mapper("oidc-usermodel-attribute-mapper", attribute("details", "JSON"))
                .create();
        ObjectNode example = (ObjectNode) detail(client).at("/example/token_introspection");
        assertNotEquals(
                example.path("sub"),
                detail(client).at("/example/token_introspection/sub"),
                "nobody can compute a salt from it");
        assertEquals(
                Http.json("""
                        {
                          "given_name": "Camille Louise", "given_name_array": ["Camille", "Louise"],
                          "family_name": "Moreau", "gender": "female", "birthdate": "1988-03-14",
                          "birthplace": "75107", "birthcountry": "99100",
                          "nationality": "(nationality)", "shoe_size": 1, "member": false, "details": 1
                        }
                        """),
                example.without(List.of("active", "aud", "client_id", "sub", "iat", "exp", "acr", "jti", "scope")));
    }

    @Test
    void exampleStoresNothing() {
        DataProviderClient client = federation.newDataProvider().create();
        int people = admin.get("/users/count").asInt();
        detail(client);
        assertEquals(people, admin.get("/users/count").asInt());
        assertEquals(Http.json("{\"count\":0}"), admin.get(admin.client(client.clientId()) + "/session-count"));
    }

    @Test
    void withoutAScopeThereIsNothingAboutThePersonIfTheSettingSaysSo() {
        JsonNode detail = detail(federation
                .newDataProvider()
                .setting("identity.requires.scope", "true")
                .create());
        assertTrue(detail.at("/status/identityRequiresScope").asBoolean());
        assertEquals(
                Set.of("acr", "active", "aud", "client_id", "exp", "iat", "jti", "scope"),
                names(detail.at("/example/token_introspection")));
    }

    @Test
    void statusIsThatOfTheList() {
        DataProviderClient client = federation
                .newDataProvider()
                .with("name", "Water supplier")
                .with("publicClient", true)
                .create();
        JsonNode status = detail(client).path("status");
        assertEquals("Water supplier", status.path("name").asText());
        assertTrue(status.path("problemNames").toString().contains("\"public\""), status::toString);
    }

    @Test
    void answersOfTheLastHourAreInPeriods() {
        DataProviderClient client = federation.newDataProvider().create();
        client.check("any-token");
        client.check("any-token");
        JsonNode periods = detail(client).at("/status/lastHour").path("invalid_token: Not an access token");
        assertEquals(12, periods.size());
        int sum = 0;
        for (JsonNode period : periods) {
            sum += period.asInt();
        }
        assertEquals(2, sum);
    }

    @Test
    void textsAreInTheLanguageThatIsAskedFor() {
        DataProviderClient client =
                federation.newDataProvider().with("publicClient", true).create();
        String french = admin.get("/checktoken/data-provider?language=fr&clientId=" + client.clientId())
                .at("/status/problems")
                .toString();
        assertTrue(french.contains("Le client est public"), french);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sp-town", "no-such-client", ""})
    void otherClientsAreNotFound(String clientId) {
        assertEquals(
                404,
                admin.send("GET", "/checktoken/data-provider?clientId=" + clientId, null)
                        .statusCode());
    }

    @Test
    void mapHasTheRegisteredScopesAndWhoMayAskForThem() {
        String scope = scope("any", "String");
        String water = federation
                .newDataProvider()
                .optionalScopes(scope, "phone")
                .create()
                .clientId();
        serviceProvider("sp-optional", Map.of("optionalClientScopes", List.of(scope, "phone")));
        serviceProvider("sp-default", Map.of("defaultClientScopes", List.of(scope)));
        serviceProvider("sp-disabled", Map.of("optionalClientScopes", List.of(scope), "enabled", false));
        JsonNode map = admin.get("/checktoken/federation?language=fr");

        assertEquals(Set.of("sp-optional", "sp-default"), having(map, scope, false));
        assertEquals(Set.of(water), having(map, scope, true));
        assertEquals(Set.of(), having(map, "phone", false));
        // A default client scope of data providers, and of no use to others.
        assertEquals(Set.of(), having(map, "identity", true));
        assertTrue(having(map, "tax_income", false).contains("sp-town"));
        assertTrue(having(map, "tax_income", true).contains("dp-tax"));
        assertTrue(map.toString().contains("\"clientId\":\"sp-town\",\"name\":\"Mairie"), map::toString);
    }

    private void serviceProvider(String clientId, Map<String, Object> members) {
        Map<String, Object> client = new HashMap<>(members);
        client.put("clientId", clientId);
        admin.create("/clients", client);
    }

    private static Set<String> having(JsonNode map, String scope, boolean dataProviders) {
        Set<String> names = new TreeSet<>();
        for (JsonNode each : map) {
            if (each.path("scope").asText().equals(scope)
                    && each.path("dataProvider").asBoolean() == dataProviders) {
                names.add(each.path("clientId").asText());
            }
        }
        return names;
    }

    private JsonNode detail(DataProviderClient client) {
        return admin.get("/checktoken/data-provider?clientId=" + client.clientId());
    }

    /** @return the name of a new scope with one claim */
    private String scope(String claim, String type) {
        String name = "scope-" + UUID.randomUUID();
        admin.create(
                "/client-scopes",
                Map.of(
                        "name",
                        name,
                        "protocol",
                        "openid-connect",
                        "attributes",
                        Map.of("include.in.token.scope", "true"),
                        "protocolMappers",
                        List.of(NewDataProvider.mapperJson(
                                claim, "oidc-usermodel-attribute-mapper", attribute(claim, type)))));
        return name;
    }

    private static Map<String, String> attribute(String claim, String type) {
        return Map.of(
                "user.attribute",
                claim,
                "claim.name",
                claim,
                "jsonType.label",
                type,
                "introspection.token.claim",
                "true");
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
