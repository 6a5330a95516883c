package io.github.checktoken.introspection.dataprovider;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** A data provider's mappers see all organizations of the person, not only the one that the service provider chose. */
@ExtendWith(KeycloakExtension.class)
class OrganizationsIT {

    private static final String MEMBERSHIP = "oidc-organization-membership-mapper";

    private static OrganizationsRealm realm;
    private static String camille;
    private static String bakery;
    private static String choir;

    @BeforeAll
    static void createRealm(KeycloakServer server) {
        realm = new OrganizationsRealm(server);
        camille = realm.newPerson();
        bakery = realm.newOrganization(camille);
        choir = realm.newOrganization(camille);
        realm.newOrganization();
    }

    @ParameterizedTest(name = "{0}, lightweight: {1}")
    @CsvSource({
        "organization:BAKERY, false",
        "organization:BAKERY, true",
        "organization:CHOIR,  false",
        "organization:*,      false",
        "openid,              false",
    })
    void dataProviderSeesAllOfThem(String scope, boolean lightweight) {
        DataProviderClient dataProvider =
                realm.newDataProvider().defaultScopes("organization").create();
        assertEquals(Set.of(bakery, choir), organizations(dataProvider, signIn(camille, scope, lightweight)));
    }

    @Test
    void registeredScopeThatTheTokenHasGivesAllOfThem() {
        DataProviderClient dataProvider = realm.newDataProvider()
                .defaultScopes()
                .optionalScopes("organization")
                .create();
        assertEquals(Set.of(bakery, choir), organizations(dataProvider, signIn(camille, "organization", false)));
    }

    @Test
    void scopeOfOneOrganizationIsNotTheRegisteredScope() {
        DataProviderClient dataProvider = realm.newDataProvider()
                .defaultScopes()
                .optionalScopes("organization")
                .create();
        Map<String, Object> introspection = introspect(dataProvider, signIn(camille, "organization:BAKERY", false));
        assertEquals("", introspection.get("scope"));
        assertFalse(introspection.containsKey("organization"));
    }

    @Test
    void personWithoutOrganizationKeepsTheOtherClaimsOfTheScope() {
        String scope = "identity-and-organization";
        realm.admin()
                .create(
                        "/client-scopes",
                        Map.of(
                                "name",
                                scope,
                                "protocol",
                                "openid-connect",
                                "protocolMappers",
                                List.of(
                                        NewDataProvider.mapperJson(
                                                "organizations",
                                                MEMBERSHIP,
                                                Map.of("introspection.token.claim", "true")),
                                        NewDataProvider.mapperJson(
                                                "given names",
                                                "oidc-given-names-mapper",
                                                Map.of("introspection.token.claim", "true")))));
        DataProviderClient dataProvider =
                realm.newDataProvider().defaultScopes(scope).create();

        Map<String, Object> alone = introspect(dataProvider, signIn(realm.newPerson(), "openid", false));
        assertFalse(alone.containsKey("organization"));
        assertEquals(List.of("Camille"), alone.get("given_name_array"));

        Map<String, Object> member = introspect(dataProvider, signIn(camille, "organization:BAKERY", false));
        assertEquals(Set.of(bakery, choir), new TreeSet<>((Collection<?>) member.get("organization")));
        assertEquals(List.of("Camille"), member.get("given_name_array"));
    }

    /** Keycloak 26.5 does not check the membership. */
    @Test
    void tokenOfAPersonWhoLeftTheOrganizationIsInactiveAndTheEventSaysWhy() {
        assumeFalse(System.getProperty("keycloak.version").startsWith("26.5."));
        String person = realm.newPerson();
        String organization = realm.newOrganization(person);
        Tokens tokens = signIn(person, "organization:" + organization, false);
        DataProviderClient dataProvider = realm.newDataProvider().create();
        assertEquals(true, introspect(dataProvider, tokens).get("active"));

        realm.leave(organization, person);
        realm.admin()
                .update(
                        "",
                        settings -> settings.put("eventsEnabled", true)
                                .putArray("enabledEventTypes")
                                .add("INTROSPECT_TOKEN_ERROR"));

        assertEquals(Map.of("active", false), introspect(dataProvider, tokens));
        JsonNode event = realm.admin()
                .get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + dataProvider.clientId())
                .get(0);
        assertEquals("invalid_token", event.path("error").asText());
        assertEquals(
                "Invalid organization", event.path("details").path("reason").asText());
    }

    @Test
    void tokenOfADisabledOrganizationIsInactive() {
        assumeFalse(System.getProperty("keycloak.version").startsWith("26.5."));
        String person = realm.newPerson();
        String organization = realm.newOrganization(person);
        Tokens tokens = signIn(person, "organization:" + organization, false);
        DataProviderClient dataProvider = realm.newDataProvider().create();
        assertEquals(true, introspect(dataProvider, tokens).get("active"));

        realm.disable(organization);

        assertEquals(Map.of("active", false), introspect(dataProvider, tokens));
    }

    private static Tokens signIn(String username, String scope, boolean lightweight) {
        return realm.newServiceProvider(lightweight)
                .token(Map.of(
                        "grant_type",
                        "password",
                        "username",
                        username,
                        "password",
                        "demo-password",
                        "scope",
                        scope.replace("BAKERY", bakery).replace("CHOIR", choir)));
    }

    private static Set<Object> organizations(DataProviderClient dataProvider, Tokens tokens) {
        return new TreeSet<>((Collection<?>) introspect(dataProvider, tokens).get("organization"));
    }

    private static Map<String, Object> introspect(DataProviderClient dataProvider, Tokens tokens) {
        return dataProvider.check(tokens.accessToken()).introspection();
    }
}
