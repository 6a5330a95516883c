package io.github.checktoken.login.gate;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests that a session id belongs to one session. Two people share a browser, in which a second login page is open. The
 * first person's session ends, and the second person signs in.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndedSessionIT {

    private static final String CLIENT = "sp-fresh";
    private static final String WHO = "who";
    /** A session that lives this long has to be used before it ends, even if the machine is busy. */
    private static final int SHORT_LIFE_SECONDS = 5;

    private static final int LONG_LIFE_SECONDS = 36_000;
    private static final String OFFLINE = "openid offline_access";

    private final FreshRealm realm;
    private final AdminApi admin;
    private final ServiceProvider serviceProvider;
    private final DataProviderClient dataProvider;
    private Browser browser;
    private String first;
    private String second;
    private HttpResponse<String> firstTab;
    private HttpResponse<String> secondTab;
    private Tokens online;
    private Tokens tokens;

    EndedSessionIT(KeycloakServer server) throws JOSEException {
        realm = new FreshRealm(server);
        admin = realm.admin();
        serviceProvider = realm.serviceProvider();
        admin.update(
                admin.client(CLIENT),
                client -> ((ObjectNode) client.get("attributes"))
                        .put("oauth2.device.authorization.grant.enabled", "true"));
        dataProvider = new NewDataProvider(
                        admin,
                        server.realmUrl(realm.name()).toString(),
                        new RSAKeyGenerator(2048).keyID("enc").generate())
                .defaultScopes()
                .mapper(
                        "oidc-usermodel-attribute-mapper",
                        Map.of("user.attribute", "username", "claim.name", WHO, "introspection.token.claim", "true"))
                .create();
    }

    /** The ways in which the first person's session ends, while the browser keeps its cookies. */
    enum Ending {
        REFRESH_TOKEN_REVOKED {
            @Override
            void end(EndedSessionIT it) {
                it.serviceProvider.revoke(it.online.refreshToken());
            }
        },
        USER_DELETED {
            @Override
            void end(EndedSessionIT it) {
                it.admin.delete(it.admin.user(it.first));
            }
        },
        SESSION_DELETED {
            @Override
            void end(EndedSessionIT it) {
                it.admin.delete("/sessions/" + it.sessionId());
            }
        },
        USER_LOGGED_OUT {
            @Override
            void end(EndedSessionIT it) {
                it.admin.post(it.admin.user(it.first) + "/logout", Map.of());
            }
        },
        ALL_LOGGED_OUT {
            @Override
            void end(EndedSessionIT it) {
                it.admin.post("/logout-all", Map.of());
            }
        },
        OTHER_SESSIONS_SIGNED_OUT {
            @Override
            void end(EndedSessionIT it) {
                Browser other = it.realm.browser();
                HttpResponse<String> page =
                        other.givePassword(other.get(it.realm.request() + "&kc_action=UPDATE_PASSWORD"), it.first);
                it.serviceProvider.redeem(other.submit(
                        page,
                        Map.of(
                                "password-new", "demo-password",
                                "password-confirm", "demo-password",
                                "logout-sessions", "on")));
            }
        },
        EXPIRED {
            @Override
            void end(EndedSessionIT it) {
                Waiting.untilAllIsOlderThan(SHORT_LIFE_SECONDS);
            }
        };

        abstract void end(EndedSessionIT it);
    }

    @BeforeEach
    void openTwoTabs() {
        browser = realm.browser();
        first = realm.newPerson();
        second = realm.newPerson();
    }

    @AfterEach
    void restoreLifespan() {
        lifespan(LONG_LIFE_SECONDS);
    }

    private void signInFirst(String scope) {
        firstTab = browser.get(request(scope));
        secondTab = browser.get(request(scope));
        online = serviceProvider.redeem(browser.givePassword(firstTab, first));
        tokens = online;
    }

    private void signInFirst(Ending ending) {
        lifespan(ending == Ending.EXPIRED ? SHORT_LIFE_SECONDS : LONG_LIFE_SECONDS);
        signInFirst("openid");
    }

    @ParameterizedTest
    @EnumSource
    void deviceOfTheFirstPersonGetsNothingOfTheSecond(Ending ending) {
        signInFirst(ending);
        String device = approveDevice();
        ending.end(this);
        Tokens ofSecond = signInSecond(browser.get(request("openid")));
        assertNothing(Map.of("grant_type", "urn:ietf:params:oauth:grant-type:device_code", "device_code", device));
        assertHasOwnSession(ofSecond);
    }

    @ParameterizedTest
    @EnumSource
    void codeOfTheFirstPersonGetsNothingOfTheSecond(Ending ending) {
        signInFirst(ending);
        String code = ServiceProvider.code(browser.get(request("openid")));
        ending.end(this);
        Tokens ofSecond = signInSecond(browser.get(request("openid")));
        assertGetsNothing(code);
        assertHasOwnSession(ofSecond);
    }

    @ParameterizedTest
    @EnumSource
    void loginPageFromBeforeStartsANewLogin(Ending ending) {
        signInFirst(ending);
        String code = ServiceProvider.code(browser.get(request("openid")));
        ending.end(this);
        Tokens ofSecond = signInSecond(browser.givePassword(secondTab, second));
        assertGetsNothing(code);
        assertHasOwnSession(ofSecond);
    }

    /**
     * Its answer can come between the form of the second tab and the page that follows. The other endings also remove the
     * second tab.
     */
    @ParameterizedTest
    @EnumSource(names = {"REFRESH_TOKEN_REVOKED", "USER_DELETED", "EXPIRED"})
    void requestWithoutAPageTakesNoCookieFromALoginThatBeginsAnew(Ending ending) {
        signInFirst(ending);
        ending.end(this);
        HttpResponse<String> silent = browser.get(request("openid") + "&prompt=none");

        String location = silent.headers().firstValue("Location").orElse("");
        assertTrue(location.contains("error=login_required"), location);
        assertEquals(
                List.of(),
                silent.headers().allValues("Set-Cookie").stream()
                        .filter(cookie -> cookie.startsWith("AUTH_SESSION_ID="))
                        .toList());
        assertHasOwnSession(signInSecond(browser.givePassword(secondTab, second)));
    }

    /** Nothing goes on with an older page, of another client. The second tab must still begin anew. */
    @Test
    void pageOfALoginThatIsOverDoesNotKeepOthersFromBeginningAnew() {
        signInFirst(Ending.REFRESH_TOKEN_REVOKED);
        Ending.REFRESH_TOKEN_REVOKED.end(this);
        String older = Browser.action(firstTab).replace("client_id=" + CLIENT, "client_id=account");
        assertEquals(400, browser.post(older, Map.of()).statusCode());
        browser.get(serviceProvider
                .request()
                .with("client_id", "account")
                .with("redirect_uri", realm.url() + "/account/")
                .url());
        assertHasOwnSession(signInSecond(browser.givePassword(secondTab, second)));
    }

    /** The offline session goes on after the session of the browser has ended. */
    @ParameterizedTest
    @EnumSource(names = {"REFRESH_TOKEN_REVOKED", "SESSION_DELETED", "EXPIRED"})
    void offlineSessionStaysThatOfTheFirstPerson(Ending ending) {
        signInFirst(ending);
        tokens = serviceProvider.redeem(browser.get(request(OFFLINE)));
        ending.end(this);
        assertOfflineSessionsOfBoth();
    }

    /** Keycloak ends the session of a login as soon as its only client has an offline token. */
    @Test
    void offlineSessionWithoutAnotherStaysThatOfTheFirstPerson() {
        signInFirst(OFFLINE);
        assertOfflineSessionsOfBoth();
    }

    private void assertOfflineSessionsOfBoth() {
        Tokens ofSecond = signInSecond(browser.get(request(OFFLINE)));
        assertTells(second, ofSecond);
        assertTells(second, serviceProvider.refresh(ofSecond));
        assertTells(first, serviceProvider.refresh(tokens));
        assertHasOwnSession(ofSecond);
    }

    /** The first person is asked to sign in again, so a login page is open while the session goes on. */
    @Test
    void loginAgainInTheSameSessionKeepsTheSession() {
        signInFirst("openid");
        HttpResponse<String> page = browser.get(request("openid") + "&prompt=login");
        Tokens again = serviceProvider.redeem(browser.submit(page, Map.of("password", "demo-password")));
        assertEquals(sessionId(), again.accessClaims().get("sid").asText());
        assertTells(first, serviceProvider.refresh(tokens));
    }

    private Tokens signInSecond(HttpResponse<String> page) {
        return serviceProvider.redeem(page.statusCode() == 302 ? page : browser.givePassword(page, second));
    }

    private void assertHasOwnSession(Tokens ofSecond) {
        assertTells(second, ofSecond);
        assertNotEquals(sessionId(), ofSecond.accessClaims().get("sid").asText());
    }

    private void assertTells(String username, Tokens issued) {
        assertEquals(
                username,
                Tokens.claims(issued.idToken()).get("preferred_username").asText());
        Answer answer = dataProvider.check(issued.accessToken());
        assertEquals(username, answer.introspection().get(WHO));
    }

    private void assertGetsNothing(String code) {
        assertNothing(Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                serviceProvider.request().parameters().get("redirect_uri")));
    }

    private void assertNothing(Map<String, String> grant) {
        HttpResponse<String> response = serviceProvider.post("/protocol/openid-connect/token", grant);
        assertFalse(response.body().contains("access_token"), "tokens were issued");
        assertEquals(400, response.statusCode());
    }

    private String approveDevice() {
        JsonNode device =
                Http.json(serviceProvider.post("/protocol/openid-connect/auth/device", Map.of("scope", "openid")));
        HttpResponse<String> question =
                browser.get(device.get("verification_uri_complete").asText());
        browser.submit(question, Map.of("accept", "Yes"));
        return device.get("device_code").asText();
    }

    private String request(String scope) {
        return serviceProvider
                .request()
                .without("acr_values")
                .with("scope", scope)
                .url();
    }

    private String sessionId() {
        return tokens.accessClaims().get("sid").asText();
    }

    private void lifespan(int seconds) {
        admin.update("", settings -> settings.put("ssoSessionMaxLifespan", seconds));
    }
}
