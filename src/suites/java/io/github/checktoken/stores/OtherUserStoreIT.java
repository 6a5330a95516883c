package io.github.checktoken.stores;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.userstore.UnreliableUserStoreFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A user store that is no directory. If it cannot be asked, it throws what another extension could throw, too. */
@Tag("stores")
@ExtendWith(KeycloakExtension.class)
class OtherUserStoreIT {

    private static final String PERSON = "dominique";

    private final Federation federation;
    private final AdminApi admin;
    private String store;

    OtherUserStoreIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeEach
    void addStore() {
        store = "/components/"
                + admin.create(
                        "/components",
                        Map.of(
                                "name",
                                "unreliable",
                                "providerId",
                                UnreliableUserStoreFactory.ID,
                                "providerType",
                                "org.keycloak.storage.UserStorageProvider",
                                "config",
                                Map.of(
                                        "cachePolicy",
                                        List.of("NO_CACHE"),
                                        UnreliableUserStoreFactory.USER,
                                        List.of(PERSON))));
    }

    @AfterEach
    void removeStore() {
        admin.delete(store);
    }

    @ParameterizedTest
    @ValueSource(strings = {"look-up", "state", "attributes"})
    void storeThatCannotBeAskedIsAFailureAndNotAnAnswer(String failing) {
        String token = signIn().accessToken();
        Map<String, Object> before = federation.tax().check(token).introspection();
        assertEquals("Moreau", before.get("family_name"));

        fail(failing);
        HttpResponse<String> response = federation.tax().post(token);
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(
                "temporarily_unavailable",
                Http.json(response.body()).path("error").asText());
        assertEquals(
                "a user store could not be asked",
                event("dp-tax").at("/details/reason").asText());

        fail("");
        assertEquals(before, federation.tax().check(token).introspection());
    }

    @Test
    void mapperThatFailsIsAServerErrorThoughThePersonIsOfAStore() {
        // Without its settings, this mapper of Keycloak throws a NullPointerException.
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .mapper("oidc-role-name-mapper", Map.of())
                .create();
        assertEquals(500, dataProvider.post(signIn().accessToken()).statusCode());
        assertEquals(
                "java.lang.NullPointerException",
                event(dataProvider.clientId()).at("/details/reason").asText());
    }

    /** No store is asked about a token that is not active in any case. */
    @Test
    void revokedTokenIsNotActiveWhileTheStoreFails() {
        Tokens tokens = signIn();
        federation.town().revoke(tokens.accessToken());
        fail("look-up");
        assertEquals(
                Map.of("active", false),
                federation.tax().check(tokens.accessToken()).introspection());
        JsonNode event = event("dp-tax");
        assertEquals(tokens.accessClaims().get("sub"), event.get("userId"));
        assertEquals(tokens.accessClaims().get("sid"), event.get("sessionId"));
    }

    private Tokens signIn() {
        return federation.town().signIn(PERSON, Federation.ALL_SCOPES);
    }

    private void fail(String what) {
        admin.update(
                store,
                component -> component
                        .withObject("/config")
                        .putArray(UnreliableUserStoreFactory.FAILING)
                        .add(what));
    }

    private JsonNode event(String client) {
        return admin.get("/events?type=INTROSPECT_TOKEN_ERROR&max=1&client=" + client)
                .get(0);
    }
}
