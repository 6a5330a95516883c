package io.github.checktoken.keycloak;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.OtherKeycloakJar;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server whose Keycloak lacks a class that a part of this project uses starts, and the rest of it works. */
@Tag("long")
class MissingMemberIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));
    private static final String WITHOUT_USER_SESSION_UTIL =
            "AccessTokenIntrospectionProvider.verifyUserSession, UserSessionUti_.createTransientUserSession";

    private static final String QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC";

    private ProductionServer server;
    private Federation federation;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void administratorsViewAloneIsOff() throws IOException, InterruptedException {
        startWithout("ClientPermissionEvaluator");
        assertUnavailable(federation.admin().send("GET", "/checktoken/data-providers", null));
        assertUnavailable(Http.send(Http.request(federation.url() + "/data-providers")));

        assertTrue(federation.tax().check(signIn().accessToken()).active());
        assertOff("Administrators' view", "AdminPermissionEvaluator.clients, ClientPermissionEvaluato_.requireView");
    }

    @Test
    void endpointAndWhatShowsItAreOff() throws IOException, InterruptedException {
        startWithout("UserSessionUtil");
        String token = signIn().accessToken();
        assertUnavailable(federation.tax().post(token));
        assertUnavailable(Http.send(Http.form(federation.url() + "/checktoken", Map.of("token", token))));
        assertUnavailable(Http.send(Http.request(federation.url() + "/api/v2/.well-known/openid-configuration")));
        assertUnavailable(Http.send(Http.request(server.baseUrl() + "/.well-known/oauth-authorization-server/realms/"
                + federation.realm() + "/api/v2")));
        assertUnavailable(federation.admin().send("GET", "/checktoken/data-providers", null));
        federation.newDataProvider().create();

        assertOff("Endpoint", WITHOUT_USER_SESSION_UTIL);
        assertOff("Administrators' view", WITHOUT_USER_SESSION_UTIL);
    }

    @Test
    void guardedRealmsRefuseLoginsAndOthersGoOn() throws IOException, InterruptedException {
        startWithout("SessionExpiration");
        HttpResponse<String> refused =
                new Browser(server).get(federation.town().request().url());
        assertEquals(503, refused.statusCode());
        assertTrue(refused.body().contains("Nobody can sign in here at the moment"), refused.body());
        FreshRealm other = new FreshRealm(server);
        other.admin().update("", realm -> realm.withObject("/attributes").put("checktoken.login.gate", ""));
        other.signInWithPassword(other.newPerson());
        assertFalse(federation.tax().check("unknown").active());

        assertOff("Logins", "SessionExpiratio_.getAuthSessionLifespan");
    }

    private void startWithout(String type) throws IOException, InterruptedException {
        server = new ProductionServer(
                HOME.getParent(),
                "keycloak-missing-member",
                List.of(OtherKeycloakJar.without(type)),
                new Database(HOME).arguments(),
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_APPEND", QUICK_JAVA));
        federation = Federation.copy(server, 1);
        federation.letPeopleSignInAgainAtOnce();
    }

    /** Signs in with {@code amr}, and in a realm that uses nothing of this project. */
    private Tokens signIn() {
        FreshRealm other = new FreshRealm(server);
        other.signInWithPassword(other.newPerson());
        Tokens tokens = federation
                .town()
                .signIn(
                        new Browser(server),
                        "camille",
                        federation.town().request().with("claims", "{\"id_token\":{\"amr\":{\"essential\":true}}}"));
        assertEquals(
                "[\"fc\",\"pwd\"]", Tokens.claims(tokens.idToken()).path("amr").toString());
        return tokens;
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(List.of("no-store"), response.headers().allValues("Cache-Control"));
        assertEquals(
                "{\"error\":\"temporarily_unavailable\",\"error_description\":"
                        + "\"The service does not support this version of Keycloak.\"}",
                response.body());
    }

    private void assertOff(String part, String missing) throws IOException {
        String log = Files.readString(server.log());
        assertTrue(log.contains(": " + part + ": not available, because it uses " + missing), log);
        assertTrue(!log.contains("\tat "), log);
    }
}
