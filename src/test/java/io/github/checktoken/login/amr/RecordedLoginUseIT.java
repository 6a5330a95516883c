package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests that logins are recorded only in realms in which something reads the record. */
@ExtendWith(KeycloakExtension.class)
class RecordedLoginUseIT {

    private final KeycloakServer server;

    RecordedLoginUseIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeEach
    void requireDatabase() {
        assumeTrue(server instanceof DistributionServer, "needs the server's database");
    }

    @Test
    void realmThatUsesNothingHasNoNotes() {
        FreshRealm realm = new FreshRealm(server);
        assertEquals(List.of(), notes(realm.signInWithPassword(realm.newPerson())));
    }

    @Test
    void realmWithAMapperInAScopeHasNotesOfEachClient() {
        LevelRealm realm = new LevelRealm(server);
        Tokens tokens = realm.signIn(
                realm.browser(), realm.newPerson(), LevelRealm.NO_LEVEL, realm.request(LevelRealm.NO_LEVEL));
        assertFalse(notes(tokens).isEmpty());
    }

    /** The mapper is on one client. A login at another client, with the password alone, replaces the one with two factors. */
    @Test
    void loginAtAnotherClientReplacesTheRecord() {
        FreshRealm realm = new FreshRealm(server);
        realm.admin()
                .create(
                        realm.admin().client(FreshRealm.CLIENT) + "/protocol-mappers/models",
                        Map.of(
                                "name",
                                "amr",
                                "protocol",
                                "openid-connect",
                                "protocolMapper",
                                RequestedAmrMapper.PROVIDER_ID,
                                "config",
                                Map.of()));
        ServiceProvider other = clientWithPasswordAlone(realm);
        String person = realm.newPerson(Totp.credential());
        Browser browser = realm.browser();
        AuthorizationRequest request =
                realm.serviceProvider().request().without("acr_values").askingForAmr();
        HttpResponse<String> page = browser.givePassword(browser.get(request.url()), person);
        assertEquals(
                Set.of("pwd", "mfa"), amr(realm.serviceProvider(), browser.submit(page, Map.of("otp", Totp.code()))));

        String forced =
                other.request().without("acr_values").with("prompt", "login").url();
        other.redeem(browser.givePassword(browser.get(forced), person));

        assertEquals(Set.of("pwd"), amr(realm.serviceProvider(), browser.get(request.url())));
    }

    private ServiceProvider clientWithPasswordAlone(FreshRealm realm) {
        realm.admin().post("/authentication/flows/browser/copy", Map.of("newName", "password"));
        for (JsonNode step : realm.admin().get("/authentication/flows/password/executions")) {
            if (step.path("requirement").asText().equals("CONDITIONAL")) {
                realm.admin()
                        .delete("/authentication/executions/" + step.get("id").asText());
            }
        }
        String secret = "other-client-secret-of-32-bytes-or-more";
        String redirectUri = "http://localhost:8999/other/callback";
        realm.admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId",
                                "other",
                                "secret",
                                secret,
                                "redirectUris",
                                List.of(redirectUri),
                                "authenticationFlowBindingOverrides",
                                Map.of("browser", realm.admin().flow("password"))));
        return new ServiceProvider(server, realm.name(), "other", secret, redirectUri);
    }

    private static Set<String> amr(ServiceProvider client, HttpResponse<String> answer) {
        Set<String> amr = new HashSet<>();
        Tokens.claims(client.redeem(answer).idToken()).path("amr").forEach(value -> amr.add(value.asText()));
        return amr;
    }

    /** @return the names of this project's notes in the token's user session and client session */
    private List<String> notes(Tokens tokens) {
        String session = Tokens.claims(tokens.accessToken()).path("sid").asText();
        List<String> notes = new ArrayList<>();
        for (String table : List.of("OFFLINE_USER_SESSION", "OFFLINE_CLIENT_SESSION")) {
            List<String> data = ((DistributionServer) server)
                    .database()
                    .values("SELECT DATA FROM " + table + " WHERE USER_SESSION_ID = '" + session + "'");
            assertEquals(1, data.size());
            Http.json(data.get(0)).path("notes").fieldNames().forEachRemaining(notes::add);
        }
        return notes.stream().filter(note -> note.startsWith("checktoken.")).toList();
    }
}
