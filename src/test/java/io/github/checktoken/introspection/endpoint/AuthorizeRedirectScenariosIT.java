package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a service provider gets from FranceConnect and ProConnect in the tests of their authorization endpoint, at the
 * same address here. Keycloak answers: the errors are theirs, the words are Keycloak's. What the person sees is in
 * {@link AuthorizePageScenariosIT}.
 */
@Tag("long")
@ExtendWith(KeycloakExtension.class)
class AuthorizeRedirectScenariosIT {

    private static final String CALLBACK = "http://localhost:8999/sp-town/callback";

    private final Federation federation;
    private final ServiceProvider town;
    private final Browser browser;

    AuthorizeRedirectScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.browser = new Browser(federation.server());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "response_type | ? | invalid_request | Missing parameter: response_type",
                "response_type= | ? | unsupported_response_type |",
                "response_type=unknown | ? | unsupported_response_type |",
                "response_type=id_token | # | unauthorized_client | Implicit flow is disabled",
                "response_type=id_token token | # | unauthorized_client | Implicit flow is disabled",
                "response_type=code id_token | # | unauthorized_client | Implicit flow is disabled",
                "response_type=code token | # | unauthorized_client | Implicit flow is disabled",
                "response_mode=unknown | ? | invalid_request | Invalid parameter: response_mode",
                "prompt=none | ? | login_required |",
                "prompt=none & state | ? | login_required |",
                "prompt=none & state= | ? | login_required |",
                "prompt=none login | ? | login_required |",
                "prompt=none consent | ? | login_required |",
                "scope= | ? | invalid_scope | Invalid scopes:",
                "scope=openid unknown | ? | invalid_scope | Invalid scopes: openid unknown",
                "code_challenge_method=S256 | ? | invalid_request | Missing parameter: code_challenge",
                "code_challenge=short & code_challenge_method=S256 | ? | invalid_request"
                        + " | Invalid parameter: code_challenge",
                "code_challenge=é123456789012345678901234567890123456789012 & code_challenge_method=S256"
                        + " | ? | invalid_request | Invalid parameter: code_challenge",
                "code_challenge=0123456789012345678901234567890123456789012 & code_challenge_method=unknown"
                        + " | ? | invalid_request | Invalid parameter: code_challenge_method"
            })
    void errorGoesToTheServiceProvider(String changes, String start, String error, String description) {
        AuthorizationRequest request = request(changes);
        Map<String, String> answer = answer(start, browser.get(request.url()));

        assertEquals(error, answer.remove("error"));
        String told = answer.remove("error_description");
        assertTrue(description == null ? told == null : told.contains(description), told);
        assertEquals(stateAndIssuer(request), answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"state=é +&# | ?", "state | ?", "prompt=login consent | ?", "response_mode=fragment | #"})
    void codeGoesToTheServiceProvider(String changes, String start) {
        AuthorizationRequest request = request(changes);
        Map<String, String> answer = answer(start, town.open(browser, "camille", request));

        assertNotNull(answer.remove("code"));
        assertNotNull(answer.remove("session_state"));
        assertEquals(stateAndIssuer(request), answer);
    }

    @Test
    void refusalOfThePersonGoesToTheServiceProvider() {
        AdminApi admin = federation.admin();
        String client = admin.client("sp-town");
        admin.update(client, json -> json.put("consentRequired", true));
        try {
            AuthorizationRequest request = request("scope=openid given_name");
            HttpResponse<String> consent = town.open(browser, "camille", request);
            Map<String, String> answer = answer("?", browser.submit(consent, Map.of("cancel", "No")));

            assertEquals("access_denied", answer.remove("error"));
            assertEquals(stateAndIssuer(request), answer);
        } finally {
            admin.update(client, json -> json.put("consentRequired", false));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonce=atleast64@#&atleast64@#&atleast64@#&atleast64@#&atleast64@#&atleast64@#&", "nonce"})
    void idTokenHasTheNonceOfTheRequestAndNoLevelThatNobodyKnows(String changes) {
        AuthorizationRequest request = request(changes + " & acr_values=unknown");
        Tokens tokens = town.signIn(browser, "camille", request);

        assertEquals(
                request.parameters().get("nonce"),
                Tokens.claims(tokens.idToken()).path("nonce").asText(null));
        assertEquals("eidas1", tokens.acr());
    }

    @ParameterizedTest
    @ValueSource(strings = {"scope", "scope=email"})
    void thereIsNoIdTokenWithoutTheScopeOpenid(String changes) {
        Tokens tokens = town.signIn(browser, "camille", request(changes));

        assertNotNull(tokens.accessToken());
        assertNull(tokens.idToken());
    }

    private AuthorizationRequest request(String changes) {
        AuthorizationRequest request = town.request().at("/api/v2/authorize");
        ParameterChange.apply(changes, request.parameters());
        return request;
    }

    private Map<String, String> answer(String start, HttpResponse<String> redirect) {
        String location = redirect.headers().firstValue("Location").orElse("");

        assertEquals(302, redirect.statusCode(), redirect::body);
        assertTrue(location.startsWith(CALLBACK + start), location);
        Map<String, String> answer = new TreeMap<>();
        URLUtils.parseParameters(location.substring(CALLBACK.length() + 1))
                .forEach((name, values) -> answer.put(name, String.join(" ", values)));
        return answer;
    }

    /** RFC 9207: the issuer tells the service provider which platform answers. */
    private Map<String, String> stateAndIssuer(AuthorizationRequest request) {
        Map<String, String> members = new TreeMap<>(Map.of("iss", federation.url()));
        if (request.parameters().containsKey("state")) {
            members.put("state", request.parameters().get("state"));
        }
        return members;
    }
}
