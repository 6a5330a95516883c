package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** {@code acr} in an answer is a name of the realm, and never more than the level that Keycloak recorded. */
@ExtendWith(KeycloakExtension.class)
class AnswerAcrIT {

    private final Federation federation;
    private final AdminApi admin;

    AnswerAcrIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void nameOfTheServiceProviderBecomesTheRealms() {
        try (TokenSource source = new TokenSource(federation).withKeycloaksAcr().levels("{\"eidas3\":1}")) {
            String token = source.sso(signedIn(source), "openid").accessToken();

            assertEquals("eidas3", inToken(token));
            assertEquals("eidas1", acr(token));
        }
    }

    @Test
    void nameOfTheServiceProviderBecomesTheRealmsForALightweightToken() {
        try (TokenSource source = new TokenSource(federation).withKeycloaksAcr().levels("{\"eidas3\":1}")) {
            Browser browser = signedIn(source);
            String token = source.lightweight().sso(browser, "openid").accessToken();

            assertNull(inToken(token));
            assertEquals("eidas1", acr(token));
        }
    }

    /** The realm has the same name for another level. The lower one of the two is known. */
    @Test
    void nameThatBothHaveMeansTheLowerLevel() {
        withLevels("{\"eidas1\":1,\"eidas3\":3}", () -> {
            try (TokenSource source =
                    new TokenSource(federation).withKeycloaksAcr().levels("{\"eidas3\":1}")) {
                assertEquals(
                        "eidas1", acr(source.sso(signedIn(source), "openid").accessToken()));
            }
        });
    }

    @Test
    void claimOfAMapperIsNotBelievedAboveTheRecordedLevel() {
        withLevels("{\"eidas1\":1,\"eidas3\":3}", () -> {
            try (TokenSource source = new TokenSource(federation).without("acr")) {
                source.mapping("acr", "eidas3");
                String token = source.signIn("openid").accessToken();

                assertEquals("eidas3", inToken(token));
                assertEquals("eidas1", acr(token));
            }
        });
    }

    @Test
    void claimThatIsNoLevelIsLeftOut() {
        try (TokenSource source = new TokenSource(federation).without("acr")) {
            source.mapping("acr", "gold");
            String token = source.signIn("openid").accessToken();

            assertEquals("gold", inToken(token));
            assertNull(acr(token));
        }
    }

    @Test
    void numberOfALevelBecomesItsName() {
        try (TokenSource source = new TokenSource(federation).without("acr")) {
            source.mapping("acr", "1");
            assertEquals("eidas1", acr(source.signIn("openid").accessToken()));
        }
    }

    @Test
    void singleSignOnWithoutALevelIsNotMoreThanZero() {
        withBuiltInFlow(() -> {
            try (TokenSource source = new TokenSource(federation)) {
                String token = source.sso(townSession(), "openid").accessToken();

                assertEquals("0", inToken(token));
                assertEquals("0", acr(token));
            }
        });
    }

    @Test
    void exchangedTokenHasNone() {
        withBuiltInFlow(() -> {
            try (TokenSource source = new TokenSource(federation);
                    TokenSource exchanger = new TokenSource(federation)) {
                source.addressing(exchanger.serviceProvider().clientId());
                Tokens sso = source.sso(townSession(), "openid");
                assertEquals("0", acr(sso.accessToken()));

                assertNull(acr(exchanger.exchanged(sso.accessToken())));
                assertNull(acr(source.exchanged(sso.accessToken())));
                assertNull(acr(exchanger.exchanged(exchanger.exchanged(sso.accessToken()))));
            }
        });
    }

    /** The refreshed token's own grant is the refresh. */
    @Test
    void tokenThatIsRefreshedAfterTheExchangeHasNone() {
        withBuiltInFlow(() -> {
            try (TokenSource source = new TokenSource(federation);
                    TokenSource exchanger = new TokenSource(federation)) {
                source.addressing(exchanger.serviceProvider().clientId());
                Tokens exchanged = exchanger.exchangedWithRefreshToken(
                        source.sso(townSession(), "openid").accessToken());

                assertNull(acr(exchanged.accessToken()));
                assertNull(acr(exchanger.refresh(exchanged)));
            }
        });
    }

    /** Keycloak's first token exchange writes nothing into the token's id. */
    @Test
    void tokenOfTheFirstTokenExchangeHasNone() {
        withBuiltInFlow(() -> {
            try (TokenSource source = new TokenSource(federation);
                    TokenSource exchanger = new TokenSource(federation).withoutStandardExchange()) {
                source.addressing(exchanger.serviceProvider().clientId());
                String sso = source.sso(townSession(), "openid").accessToken();

                assertNull(acr(exchanger.exchanged(sso)));
            }
        });
    }

    /** Neither a browser nor a level, but the password. On Keycloak 26.5, the answer tells no level. */
    @Test
    void directGrantHasTheLevelThatKeycloakTells() {
        assumeFalse(System.getProperty("keycloak.version").startsWith("26.5."));
        try (TokenSource source = new TokenSource(federation).withKeycloaksAcr().allowingDirectGrants()) {
            Tokens tokens = source.serviceProvider()
                    .token(Map.of("grant_type", "password", "username", "camille", "password", "demo-password"));

            assertEquals(inToken(tokens.accessToken()), acr(tokens.accessToken()));
            assertEquals("eidas1", acr(source.refresh(tokens)));
        }
    }

    @Test
    void offlineTokenKeepsItsLevel() {
        try (TokenSource source = new TokenSource(federation)) {
            assertEquals("eidas1", acr(source.refresh(source.signIn(TokenSource.OFFLINE))));
        }
    }

    private Browser signedIn(TokenSource source) {
        Browser browser = new Browser(federation.server());
        source.signIn(browser, "camille", "openid");
        return browser;
    }

    /** @return a browser with a session in which another service provider was used, some time ago */
    private Browser townSession() {
        Browser browser = new Browser(federation.server());
        federation.town().open(browser, "camille", federation.town().request().without("acr_values"));
        Waiting.untilAllIsOlderThan(0);
        return browser;
    }

    private String acr(String token) {
        Map<String, Object> introspection = federation.tax().check(token).introspection();
        assertTrue((boolean) introspection.get("active"));
        return (String) introspection.get("acr");
    }

    private static String inToken(String token) {
        return Tokens.claims(token).path("acr").asText(null);
    }

    private void withLevels(String map, Runnable test) {
        withRealm(realm -> ((ObjectNode) realm.get("attributes")).put("acr.loa.map", map), test);
    }

    /** Keycloak's built-in browser flow reaches no level. */
    private void withBuiltInFlow(Runnable test) {
        withRealm(realm -> realm.put("browserFlow", "browser"), test);
    }

    private void withRealm(Consumer<ObjectNode> change, Runnable test) {
        ObjectNode before = (ObjectNode) admin.get("");
        admin.update("", change);
        try {
            test.run();
        } finally {
            admin.update("", realm -> {
                realm.put("browserFlow", before.get("browserFlow").asText());
                ((ObjectNode) realm.get("attributes"))
                        .put("acr.loa.map", before.at("/attributes/acr.loa.map").asText());
            });
        }
    }
}
