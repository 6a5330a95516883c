package io.github.checktoken.introspection.token;

import java.net.http.HttpResponse;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A session whose rows are deleted in the database while Keycloak's cache still has it. This is what is left if a session
 * ends while it is in use: see {@link SessionInUseIT}.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndedInTheDatabaseIT {

    private final DistributionServer server;
    private final FreshRealm realm;
    private final ServiceProvider serviceProvider;
    private final DataProviderClient dataProvider;

    EndedInTheDatabaseIT(KeycloakServer server) throws JOSEException {
        assumeTrue(server instanceof DistributionServer, "needs the server's database");
        this.server = (DistributionServer) server;
        realm = new FreshRealm(server);
        realm.admin()
                .update(
                        "",
                        settings -> settings.put("eventsEnabled", true)
                                .putArray("enabledEventTypes")
                                .add("INTROSPECT_TOKEN_ERROR"));
        serviceProvider = realm.serviceProvider();
        dataProvider = new NewDataProvider(
                        realm.admin(),
                        realm.url(),
                        new RSAKeyGenerator(2048).keyID("enc").generate())
                .defaultScopes()
                .create();
    }

    @Test
    void tokenIsNotActive() {
        SignedInPerson person = active(SignedInPerson.in(realm));
        delete("USER", person.sessionId());
        assertNotActive(person.tokens());
    }

    @Test
    void keycloakEndsItToo() {
        SignedInPerson person = active(SignedInPerson.in(realm));
        delete("USER", person.sessionId());
        assertNotActive(person.tokens());
        assertEquals(400, refresh(person.tokens()).statusCode());
        assertAsksForThePassword(person.browser());
    }

    @Test
    void tokenOfOneClientIsNotActive() {
        SignedInPerson person = active(SignedInPerson.in(realm));
        delete("CLIENT", person.sessionId());
        assertNotActive(person.tokens());
        assertEquals(400, refresh(person.tokens()).statusCode());
        assertTrue(dataProvider
                .check(serviceProvider
                        .signIn(person.browser(), "nobody", "openid")
                        .accessToken())
                .active());
    }

    @Test
    void tokenOfAnOfflineSessionIsNotActive() {
        Tokens tokens = serviceProvider.signIn(realm.newPerson(), "openid offline_access");
        assertTrue(dataProvider.check(tokens.accessToken()).active());
        delete("USER", tokens.accessClaims().get("sid").asText());
        assertNotActive(tokens);
        assertEquals(400, refresh(tokens).statusCode());
    }

    /** The login is refused, and the next one begins with the password. */
    @Test
    void cookieContinuesNothing() {
        SignedInPerson person = SignedInPerson.in(realm);
        delete("USER", person.sessionId());
        HttpResponse<String> page = person.browser().get(realm.request());
        assertEquals(403, page.statusCode());
        assertAsksForThePassword(person.browser());
    }

    private SignedInPerson active(SignedInPerson person) {
        assertTrue(dataProvider.check(person.tokens().accessToken()).active());
        return person;
    }

    private void assertNotActive(Tokens tokens) {
        Answer answer = dataProvider.check(tokens.accessToken());
        assertEquals(Map.of("active", false), answer.introspection());
        JsonNode event = realm.admin()
                .get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + dataProvider.clientId() + "&max=1")
                .get(0);
        assertEquals("user_session_not_found", event.get("error").asText());
        assertEquals("The session has ended", event.at("/details/reason").asText());
        assertEquals(
                tokens.accessClaims().get("sid").asText(),
                event.get("sessionId").asText());
    }

    private HttpResponse<String> refresh(Tokens tokens) {
        return serviceProvider.post(
                "/protocol/openid-connect/token",
                Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken()));
    }

    private void assertAsksForThePassword(Browser browser) {
        HtmlPage.assertHas("[name=password]", browser.get(realm.request()));
    }

    /** @param kind of the rows: USER or CLIENT */
    private void delete(String kind, String sessionId) {
        server.database()
                .execute("DELETE FROM OFFLINE_" + kind + "_SESSION WHERE USER_SESSION_ID = '" + sessionId + "'");
    }
}
