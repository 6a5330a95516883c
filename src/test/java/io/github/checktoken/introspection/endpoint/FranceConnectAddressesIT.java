package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ClientAssertion;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the addresses of FranceConnect's API that are Keycloak's endpoints. {@code InteropIT} signs a person in with a
 * library that knows only these.
 */
@ExtendWith(KeycloakExtension.class)
class FranceConnectAddressesIT {

    private static final String CALLBACK = "http://localhost:8999/sp-town/callback";
    private static final List<String> HEADERS =
            List.of("Content-Type", "Cache-Control", "WWW-Authenticate", "Access-Control-Allow-Origin", "Set-Cookie");

    private final Federation federation;

    FranceConnectAddressesIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"v1/token", "v2/token", "v1/userinfo", "v2/userinfo", "v2/jwks", "v1/logout", "v2/session/end"})
    void realmThatDoesNotAskForThemDoesNotHaveThem(String path) {
        String api = federation.server().realmUrl(federation.upstream()) + "/api/";
        HttpResponse<String> unknown = send("GET", api + "v3/token");
        for (String method : List.of("GET", "POST", "DELETE", "OPTIONS")) {
            HttpResponse<String> response = send(method, api + path);
            assertEquals(404, response.statusCode(), method);
            assertEquals(unknown.body(), response.body(), method);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2/token/introspect", "v1/token/x", "v2/userinfo/x", "v2/session/end/logout-confirm"})
    void nothingIsBelowThem(String path) {
        for (String method : List.of("GET", "POST")) {
            assertEquals(404, send(method, federation.url() + "/api/" + path).statusCode(), method);
        }
    }

    /** Also the requests of browsers that ask first whether a page of another origin may call. */
    @ParameterizedTest
    @CsvSource({
        "GET, v2/jwks, certs",
        "OPTIONS, v2/jwks, certs",
        "GET, v1/userinfo, userinfo",
        "POST, v2/userinfo, userinfo",
        "OPTIONS, v2/userinfo, userinfo",
        "GET, v2/token, token",
        "POST, v1/token, token",
        "POST, v2/token, token",
        "OPTIONS, v2/token, token"
    })
    void keycloakAnswersAsAtItsOwnAddress(String method, String path, String own) {
        HttpResponse<String> keycloaks = send(method, federation.url() + "/protocol/openid-connect/" + own);
        HttpResponse<String> response = send(method, federation.url() + "/api/" + path);

        assertEquals(keycloaks.statusCode(), response.statusCode());
        assertEquals(keycloaks.body(), response.body());
        for (String header : HEADERS) {
            assertEquals(
                    keycloaks.headers().allValues(header), response.headers().allValues(header), header);
        }
        assertNotEquals(404, response.statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1/logout", "v2/session/end"})
    void browserIsSentToKeycloaksLogout(String path) {
        String query = "?id_token_hint=a.b.c&state=%7e&post_logout_redirect_uri=http%3A%2F%2Flocalhost";
        String logout = federation.url() + "/protocol/openid-connect/logout";
        HttpResponse<String> redirect = Http.send(Http.request(federation.url() + "/api/" + path + query));

        assertEquals(302, redirect.statusCode());
        assertEquals(logout + query, redirect.headers().firstValue("Location").orElse(null));
        assertEquals("no-store", redirect.headers().firstValue("Cache-Control").orElse(null));
        HttpResponse<String> form = send("POST", federation.url() + "/api/" + path);
        assertEquals(307, form.statusCode());
        assertEquals(logout, form.headers().firstValue("Location").orElse(null));
        assertEquals(
                "GET, HEAD, OPTIONS, POST",
                send("PUT", federation.url() + "/api/" + path)
                        .headers()
                        .firstValue("Allow")
                        .orElse(null));
    }

    /** RFC 9449 section 4.3: a proof is for the address that was called, and for no other one of the same endpoint. */
    @Test
    void proofOfPossessionIsForTheAddressThatWasCalled() {
        ServiceProvider town = federation.town().provingPossession();
        assertEquals(
                "DPoP",
                Http.json(town.post("/api/v2/token", code())).path("token_type").asText());
        ServiceProvider other = federation.town().provingPossession();
        HttpResponse<String> refusal =
                other.postWithProofFor("/protocol/openid-connect/token", "/api/v2/token", code());
        assertEquals(400, refusal.statusCode());
        assertEquals("invalid_request", Http.json(refusal.body()).path("error").asText());
        assertTrue(refusal.body().contains("DPoP HTTP URL mismatch"), refusal::body);
    }

    /** Keycloak knows its own addresses as an assertion's audience, and the issuer, which the draft for it demands. */
    @Test
    void assertionIsForTheRealm() throws JOSEException {
        var signer = new ECKeyGenerator(Curve.P_256)
                .keyID("assertion")
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.ES256)
                .generate();
        String client = "sp-assertion";
        String path = federation
                .admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId",
                                client,
                                "clientAuthenticatorType",
                                "client-jwt",
                                "serviceAccountsEnabled",
                                true,
                                "attributes",
                                Map.of("use.jwks.string", "true", "jwks.string", JwksServer.json(signer))));
        try {
            assertTrue(withAssertion(new ClientAssertion(client, federation.url()).signedBy(signer))
                    .has("access_token"));
            String token = federation.url() + "/api/v2/token";
            assertEquals(
                    "invalid_client",
                    withAssertion(new ClientAssertion(client, token).signedBy(signer))
                            .path("error")
                            .asText());
        } finally {
            federation.admin().delete("/clients/" + path);
        }
    }

    private JsonNode withAssertion(Map<String, String> assertion) {
        Map<String, String> form = new HashMap<>(assertion);
        form.put("grant_type", "client_credentials");
        return Http.json(
                Http.send(Http.form(federation.url() + "/api/v2/token", form)).body());
    }

    private Map<String, String> code() {
        ServiceProvider town = federation.town();
        String code = ServiceProvider.code(town.open(
                new Browser(federation.server()), "camille", town.request().at("/api/v2/authorize")));
        return Map.of("grant_type", "authorization_code", "code", code, "redirect_uri", CALLBACK);
    }

    private static HttpResponse<String> send(String method, String url) {
        return Http.send(Http.request(url)
                .header("Origin", "https://town.example.org")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(
                        method,
                        method.equals("POST")
                                ? BodyPublishers.ofString("client_id=x&code=y")
                                : BodyPublishers.noBody()));
    }
}
