package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What FranceConnect and ProConnect refuse in the tests of their token endpoint, at the same address here. Keycloak
 * answers: the statuses and most errors are theirs, the words are Keycloak's.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenScenariosIT {

    private static final String BAD_CREDENTIALS = "Invalid client or Invalid client credentials";

    private final Federation federation;
    private final ServiceProvider town;
    private final Browser browser;
    private final CodeVerifier verifier = new CodeVerifier();

    TokenScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.browser = new Browser(federation.server());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client_id | 401 | invalid_client | " + BAD_CREDENTIALS,
                "client_id=unknown | 401 | invalid_client | " + BAD_CREDENTIALS,
                "client_secret | 401 | unauthorized_client | " + BAD_CREDENTIALS,
                "client_secret=wrong | 401 | unauthorized_client | " + BAD_CREDENTIALS,
                "grant_type | 400 | invalid_request | Missing form parameter: grant_type",
                "grant_type=unknown | 400 | unsupported_grant_type | Unsupported grant_type",
                "code | 400 | invalid_request | Missing parameter: code",
                "code= | 400 | invalid_grant | Code not valid",
                "code=unknown | 400 | invalid_grant | Code not valid",
                "redirect_uri | 400 | invalid_grant | Incorrect redirect_uri",
                "redirect_uri=http://localhost:8999/sp-town/ | 400 | invalid_grant | Incorrect redirect_uri",
                "client_id=sp-bank & client_secret=sp-bank-demo-secret | 400 | invalid_grant"
                        + " | Auth error: Found different client_id in clientSession",
                "code_verifier | 400 | invalid_grant | PKCE code verifier not specified",
                "code_verifier=wrong-------------------------------------- | 400 | invalid_grant"
                        + " | PKCE verification failed: Code mismatch"
            })
    void codeGivesNoTokens(String changes, int status, String error, String description) {
        Map<String, String> form = formWithACode();
        ParameterChange.apply(changes, form);

        assertError(status, error, description, token(form));
    }

    /** RFC 6749 section 4.1.2: whoever has the code a second time may have stolen it, so the tokens end. */
    @Test
    void codeGivesTokensOnce() {
        Map<String, String> form = formWithACode();
        Tokens tokens = Tokens.of(Http.json(token(form)));
        assertTrue(federation.tax().check(tokens.accessToken()).active());

        assertError(400, "invalid_grant", "Code not valid", token(form));
        assertFalse(federation.tax().check(tokens.accessToken()).active());
    }

    @Test
    void refreshTokenGivesTokensUntilItIsRevoked() {
        Tokens tokens = town.signIn(browser, "camille", "openid");
        Map<String, String> form = Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken());
        assertEquals(200, town.post("/api/v2/token", form).statusCode());
        town.revoke(tokens.refreshToken());

        HttpResponse<String> refusal = town.post("/api/v2/token", form);
        assertEquals(400, refusal.statusCode());
        assertEquals("invalid_grant", Http.json(refusal.body()).path("error").asText());
        assertFalse(federation.tax().check(tokens.accessToken()).active());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "refresh_token | invalid_request | No refresh token",
                "refresh_token= | invalid_grant | Invalid refresh token",
                "refresh_token=unknown | invalid_grant | Invalid refresh token",
                "client_id=sp-bank & client_secret=sp-bank-demo-secret | invalid_grant"
                        + " | Invalid refresh token. Token client and authorized client don't match"
            })
    void refreshTokenGivesNoTokens(String changes, String error, String description) {
        Tokens tokens = town.signIn(browser, "camille", "openid");
        Map<String, String> form = new HashMap<>(credentials());
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", tokens.refreshToken());
        ParameterChange.apply(changes, form);

        assertError(400, error, description, token(form));
    }

    private Map<String, String> formWithACode() {
        Map<String, String> form = new HashMap<>(credentials());
        form.put("grant_type", "authorization_code");
        form.put("redirect_uri", "http://localhost:8999/sp-town/callback");
        form.put("code_verifier", verifier.getValue());
        form.put(
                "code",
                ServiceProvider.code(town.open(
                        browser,
                        "camille",
                        town.request().at("/api/v2/authorize").challenging(verifier, CodeChallengeMethod.S256))));
        return form;
    }

    private Map<String, String> credentials() {
        return Map.of("client_id", town.clientId(), "client_secret", town.secret());
    }

    private HttpResponse<String> token(Map<String, String> form) {
        return Http.send(Http.form(federation.url() + "/api/v2/token", form));
    }

    private static void assertError(int status, String error, String description, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response::body);
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith("application/json"));
        assertEquals(List.of(), response.headers().allValues("Set-Cookie"));
        assertEquals(
                Http.JSON.valueToTree(Map.of("error", error, "error_description", description)),
                Http.json(response.body()));
    }
}
