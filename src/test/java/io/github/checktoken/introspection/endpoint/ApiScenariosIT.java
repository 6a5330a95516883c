package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What FranceConnect and ProConnect test at their own API, at the same addresses here. Where Keycloak's own endpoints
 * answer, the status and the kind of error are theirs. {@link CheckTokenErrorsIT} tests more refusals of ours.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiScenariosIT {

    private static final String SCOPES = "openid given_name family_name birthdate gender";
    private static final String CALLBACK = "http://localhost:8999/%s/callback";
    private static final String SIGNED_USERINFO = "user.info.response.signature.alg";
    private static final String SIGNED_ID_TOKEN = "id.token.signed.response.alg";

    private final Federation federation;
    private final ServiceProvider town;
    private final ServiceProvider bank;
    private HttpResponse<String> townsTokens;
    private HttpResponse<String> banksTokens;

    ApiScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.bank = federation.bank();
    }

    /** Each signs in once. The bank's signatures are of the other algorithm. */
    @BeforeAll
    void signIn() {
        setBank("RS256", "RS256");
        townsTokens = redeem(town, code(town));
        banksTokens = redeem(bank, code(bank));
    }

    @AfterAll
    void restore() {
        setBank("", "");
    }

    @ParameterizedTest
    @CsvSource({"dp-tax, ES256, RSA-OAEP-256", "dp-health, RS256, ECDH-ES"})
    void answerIsSignedAndEncrypted(String clientId, String signature, String encryption) throws ParseException {
        DataProviderClient dataProvider = clientId.equals("dp-tax") ? federation.tax() : federation.health();
        HttpResponse<String> response = dataProvider.post(UUID.randomUUID().toString());
        JWEObject outer = JWEObject.parse(response.body());
        JWSObject inner = JWSObject.parse(dataProvider.decrypt(response.body()));

        assertAnswer(200, "application/token-introspection+jwt", response);
        assertEquals(encryption, outer.getHeader().getAlgorithm().getName());
        assertEquals("A256GCM", outer.getHeader().getEncryptionMethod().getName());
        assertEquals(
                encryption.equals("ECDH-ES"),
                outer.getHeader().getIncludedParams().contains("epk"));
        assertSignedByARealmKey(signature, inner);
        assertEquals(
                Set.of("iss", "aud", "iat", "token_introspection"),
                inner.getPayload().toJSONObject().keySet());
        assertEquals(
                federation.url() + "/api/v2", inner.getPayload().toJSONObject().get("iss"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', x, t, 400, invalid_request, Required parameter missing or invalid.",
        "dp-tax, '', t, 400, invalid_request, Required parameter missing or invalid.",
        "dp-tax, dp-tax-demo-secret, '', 400, invalid_request, Required parameter missing or invalid.",
        "dp-tax, wrong, t, 401, invalid_client, Client authentication failed.",
        "nobody, dp-tax-demo-secret, t, 401, invalid_client, Client authentication failed."
    })
    void callOfADataProviderIsRefused(
            String client, String secret, String token, int status, String error, String description) {
        Map<String, String> form = new HashMap<>();
        form.put("client_id", client);
        form.put("client_secret", secret);
        form.put("token", token);
        form.values().removeIf(String::isEmpty);
        HttpResponse<String> response = Http.send(Http.form(api("checktoken"), form));

        assertError(status, error, description, response);
    }

    @Test
    void codeGivesTokens() {
        JsonNode tokens = Http.json(townsTokens);

        assertAnswer(200, "application/json", townsTokens);
        assertTrue(names(tokens).containsAll(Set.of("access_token", "expires_in", "id_token", "scope", "token_type")));
        assertEquals("Bearer", tokens.path("token_type").asText());
    }

    @ParameterizedTest
    @CsvSource({"sp-town, ES256", "sp-bank, RS256"})
    void idTokenSaysWhoAndHow(String clientId, String algorithm) throws ParseException {
        HttpResponse<String> tokens = clientId.equals("sp-town") ? townsTokens : banksTokens;
        JWSObject idToken = JWSObject.parse(Http.json(tokens).path("id_token").asText());
        Map<String, Object> claims = idToken.getPayload().toJSONObject();

        assertSignedByARealmKey(algorithm, idToken);
        assertTrue(
                claims.keySet().containsAll(Set.of("sub", "acr", "amr", "auth_time", "aud", "exp", "iat")),
                claims::toString);
        assertEquals("nonce of " + clientId, claims.get("nonce"));
        assertEquals(federation.url(), claims.get("iss"));
        assertEquals("eidas1", claims.get("acr"));
    }

    @Test
    void idTokenIsEncryptedForAServiceProviderThatAsks() throws ParseException, JOSEException {
        RSAKey key = new RSAKeyGenerator(2048)
                .keyUse(KeyUse.ENCRYPTION)
                .algorithm(JWEAlgorithm.RSA_OAEP_256)
                .keyIDFromThumbprint(true)
                .generate();
        Map<String, String> encryption = Map.of(
                "id.token.encrypted.response.alg",
                "RSA-OAEP-256",
                "id.token.encrypted.response.enc",
                "A256GCM",
                "use.jwks.string",
                "true",
                "jwks.string",
                new JWKSet(key.toPublicJWK()).toString());
        setBank(encryption);
        try {
            JWEObject outer = JWEObject.parse(
                    Http.json(redeem(bank, code(bank))).path("id_token").asText());
            outer.decrypt(new RSADecrypter(key));
            JWSObject idToken = outer.getPayload().toJWSObject();

            assertSignedByARealmKey("RS256", idToken);
            assertEquals(
                    List.of("fc", "pwd"), idToken.getPayload().toJSONObject().get("amr"));
        } finally {
            encryption.keySet().forEach(name -> setBank(Map.of(name, "")));
        }
    }

    @Test
    void whoDoesNotAskForAmrDoesNotGetIt() {
        Tokens tokens = town.signIn("camille", "openid");
        assertFalse(Tokens.claims(tokens.idToken()).has("amr"));
    }

    @Test
    void codeIsRefusedWithAWrongSecret() {
        Map<String, String> form = form("sp-town", "wrong", "unknown");
        HttpResponse<String> response = Http.send(Http.form(api("token"), form));

        assertError(401, "unauthorized_client", "Invalid client or Invalid client credentials", response);
    }

    @ParameterizedTest
    @CsvSource({"invalid_request, Missing parameter: code,", "invalid_grant, Code not valid, unknown"})
    void codeIsRefused(String error, String description, String code) {
        Map<String, String> form = form("sp-town", "sp-town-demo-secret", code);

        assertError(400, error, description, Http.send(Http.form(api("token"), form)));
    }

    /** RFC 7636 section 4.6. */
    @ParameterizedTest
    @CsvSource({"PKCE code verifier not specified,", "PKCE verification failed: Code mismatch, wrong"})
    void codeIsRefusedWithoutItsVerifier(String description, String start) {
        Map<String, String> form = form("sp-town", "sp-town-demo-secret", codeForAVerifier());
        if (start != null) {
            form.put("code_verifier", start + "-".repeat(43));
        }
        assertError(400, "invalid_grant", description, Http.send(Http.form(api("token"), form)));
    }

    @Test
    void refreshTokenGivesTokensUntilItIsRevoked() {
        Tokens tokens = town.signIn("camille", "openid");
        Map<String, String> form = Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken());
        HttpResponse<String> response = town.post("/api/v2/token", form);
        assertAnswer(200, "application/json", response);
        town.revoke(tokens.refreshToken());

        HttpResponse<String> refusal = town.post("/api/v2/token", form);
        assertAnswer(400, "application/json", refusal);
        assertEquals("invalid_grant", Http.json(refusal.body()).path("error").asText());
        assertInactive(tokens);
    }

    @Test
    void userInfoIsJsonUnlessItIsAskedForSigned() {
        HttpResponse<String> response = userInfo(bearer(townsTokens));

        assertAnswer(200, "application/json", response);
        assertEquals(
                Set.of("sub", "given_name", "family_name", "birthdate", "gender"), names(Http.json(response.body())));
    }

    @Test
    void userInfoIsSigned() throws ParseException {
        HttpResponse<String> response = userInfo(bearer(banksTokens));
        JWSObject signed = JWSObject.parse(response.body());
        Map<String, Object> claims = signed.getPayload().toJSONObject();

        assertAnswer(200, "application/jwt", response);
        assertSignedByARealmKey("RS256", signed);
        assertEquals(federation.url(), claims.get("iss"));
        assertEquals("sp-bank", claims.get("aud"));
        assertTrue(claims.keySet().containsAll(Set.of("sub", "given_name")), claims::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer unknown"})
    void userInfoIsRefused(String authorization) {
        HttpResponse<String> response = userInfo(authorization);

        assertEquals(401, response.statusCode());
        assertTrue(response.headers().firstValue("WWW-Authenticate").orElse("").startsWith("Bearer realm="));
        assertEquals(List.of(), response.headers().allValues("Set-Cookie"));
    }

    @Test
    void whoSignsOutIsSignedOutAndTheTokenIsInactive() {
        Browser browser = new Browser(federation.server());
        Tokens tokens = town.signIn(browser, "camille", "openid");
        String end = api("session/end?state=s%2B1&id_token_hint=") + tokens.idToken();
        HttpResponse<String> response =
                browser.get(end + "&post_logout_redirect_uri=" + Http.encode("http://localhost:8999/sp-town/"));

        assertEquals(
                "http://localhost:8999/sp-town/?state=s%2B1",
                response.headers().firstValue("Location").orElse(null));
        assertTrue(browser.get(town.request().with("prompt", "none").url())
                .headers()
                .firstValue("Location")
                .orElse("")
                .contains("error=login_required"));
        assertInactive(tokens);
    }

    @Test
    void whoSignsOutWithoutAnAddressToGoBackToSeesAPage() {
        Browser browser = new Browser(federation.server());
        Tokens tokens = town.signIn(browser, "camille", "openid");
        HttpResponse<String> page = browser.get(api("session/end?id_token_hint=") + tokens.idToken());

        assertEquals(200, page.statusCode());
        assertInactive(tokens);
    }

    private void setBank(String idToken, String userInfo) {
        setBank(Map.of(SIGNED_ID_TOKEN, idToken, SIGNED_USERINFO, userInfo));
    }

    private void setBank(Map<String, String> attributes) {
        federation
                .admin()
                .update(
                        federation.admin().client("sp-bank"),
                        client -> attributes.forEach(client.withObject("/attributes")::put));
    }

    private String api(String path) {
        return federation.url() + "/api/v2/" + path;
    }

    private static String bearer(HttpResponse<String> tokens) {
        return "Bearer " + Http.json(tokens).path("access_token").asText();
    }

    private String code(ServiceProvider client) {
        return ServiceProvider.code(client.open(
                new Browser(federation.server()),
                "camille",
                client.request()
                        .at("/api/v2/authorize")
                        .with("scope", client == town ? SCOPES : "openid given_name")
                        .with("nonce", "nonce of " + client.clientId())
                        .askingForAmr()));
    }

    private String codeForAVerifier() {
        return ServiceProvider.code(town.open(
                new Browser(federation.server()),
                "camille",
                town.request()
                        .at("/api/v2/authorize")
                        .with("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
                        .with("code_challenge_method", "S256")));
    }

    private HttpResponse<String> redeem(ServiceProvider client, String code) {
        return Http.send(Http.form(api("token"), form(client.clientId(), client.secret(), code)));
    }

    /** @param code null to leave it out */
    private static Map<String, String> form(String client, String secret, String code) {
        Map<String, String> form = new HashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("client_id", client);
        form.put("client_secret", secret);
        form.put("redirect_uri", CALLBACK.formatted(client));
        if (code != null) {
            form.put("code", code);
        }
        return form;
    }

    private HttpResponse<String> userInfo(String authorization) {
        var request = Http.request(api("userinfo"));
        return Http.send(authorization.isEmpty() ? request : request.header("Authorization", authorization));
    }

    private void assertInactive(Tokens tokens) {
        assertEquals(
                Map.of("active", false),
                federation.tax().check(tokens.accessToken()).introspection());
    }

    private static void assertAnswer(int status, String type, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response::body);
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith(type));
        assertEquals(List.of(), response.headers().allValues("Set-Cookie"));
    }

    private static void assertError(int status, String error, String description, HttpResponse<String> response) {
        assertAnswer(status, "application/json", response);
        JsonNode body = Http.json(response.body());
        assertEquals(error, body.path("error").asText());
        assertEquals(description, body.path("error_description").asText());
    }

    private void assertSignedByARealmKey(String algorithm, JWSObject signed) {
        assertEquals(algorithm, signed.getHeader().getAlgorithm().getName());
        assertTrue(Http.json(Http.send(Http.request(api("jwks"))))
                .get("keys")
                .valueStream()
                .anyMatch(
                        key -> key.get("kid").asText().equals(signed.getHeader().getKeyID())
                                && key.get("alg").asText().equals(algorithm)
                                && key.get("use").asText().equals("sig")));
    }

    private static Set<String> names(JsonNode json) {
        Set<String> names = new TreeSet<>();
        json.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
