package io.github.checktoken.login.gate.request;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import org.keycloak.cookie.CookieProvider;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.login.gate.FakeRequest;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BrowserRequestTest {

    private final FakeLogin login = new FakeLogin();

    @Test
    void cookieNamesTheSessionWhoseWholeIdItHas() {
        String id = Base64.getUrlEncoder().encodeToString("root.signature".getBytes(StandardCharsets.UTF_8));
        assertTrue(hasCookieOf("root", id));
        assertTrue(hasCookieOf("root", id + ".route"));
        assertFalse(hasCookieOf("roo", id));
        assertFalse(hasCookieOf("another", id));
    }

    @Test
    void whatIsNoCookieOfKeycloakNamesNone() {
        assertFalse(hasCookieOf("root", null));
        assertFalse(hasCookieOf("root", "root.signature"));
        assertFalse(hasCookieOf("root", ""));
    }

    /** What programs ask for, and a logout, is no login. */
    @ParameterizedTest
    @CsvSource({
        "login-actions/authenticate, true",
        "broker/fc/endpoint, true",
        "device, true",
        "protocol/openid-connect/auth, true",
        "protocol/openid-connect/registrations, true",
        "protocol/saml, true",
        "protocol/openid-connect/token, false",
        "protocol/openid-connect/logout, false",
        "protocol/openid-connect, false",
        "checktoken, false"
    })
    void pagesOfABrowserAreForALogin(String path, boolean isForLogin) {
        assertEquals(isForLogin, FakeRequest.of(login, path).isForLogin());
    }

    @ParameterizedTest
    @CsvSource({
        "broker/fc/endpoint, true, false",
        "broker/fc/endpoint/clients/sp, true, true",
        "broker/after-first-broker-login, false, false",
        "login-actions/fc/endpoint, false, false"
    })
    void answerOfAProviderHasAnAddressOfItsOwn(String path, boolean isAnswer, boolean isBegunByProvider) {
        BrowserRequest request = FakeRequest.of(login, path);
        assertEquals(isAnswer, request.isAnswerOfProvider());
        assertEquals(isBegunByProvider, request.isBegunByProvider());
    }

    private boolean hasCookieOf(String rootId, String cookie) {
        Map<String, Object> cookies = new HashMap<>();
        cookies.put("get", cookie);
        login.providers.put(CookieProvider.class, Fake.of(CookieProvider.class, cookies));
        return new BrowserRequest(login.session).hasCookieOf(rootId);
    }
}
