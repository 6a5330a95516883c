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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What succeeds when FranceConnect and ProConnect test their own API, and what they refuse at checktoken, at the same
 * addresses here. {@link CheckTokenErrorsIT} tests more refusals of ours. What Keycloak's endpoints refuse is in
 * {@link AuthorizePageScenariosIT}, {@link AuthorizeRedirectScenariosIT}, {@link CallbackScenariosIT},
 * {@link TokenScenariosIT}, {@link UserInfoScenariosIT} and {@link LogoutScenariosIT}.
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
    void userInfoIsJsonUnlessItIsAskedForSigned() {
        HttpResponse<String> response = userInfo(townsTokens);

        assertAnswer(200, "application/json", response);
        assertEquals(
                Set.of("sub", "given_name", "family_name", "birthdate", "gender"), names(Http.json(response.body())));
    }

    @Test
    void userInfoIsSigned() throws ParseException {
        HttpResponse<String> response = userInfo(banksTokens);
        JWSObject signed = JWSObject.parse(response.body());
        Map<String, Object> claims = signed.getPayload().toJSONObject();

        assertAnswer(200, "application/jwt", response);
        assertSignedByARealmKey("RS256", signed);
        assertEquals(federation.url(), claims.get("iss"));
        assertEquals("sp-bank", claims.get("aud"));
        assertTrue(claims.keySet().containsAll(Set.of("sub", "given_name")), claims::toString);
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

    private HttpResponse<String> redeem(ServiceProvider client, String code) {
        return client.post(
                "/api/v2/token",
                Map.of(
                        "grant_type",
                        "authorization_code",
                        "code",
                        code,
                        "redirect_uri",
                        CALLBACK.formatted(client.clientId())));
    }

    private HttpResponse<String> userInfo(HttpResponse<String> tokens) {
        return Http.send(Http.request(api("userinfo"))
                .header(
                        "Authorization",
                        "Bearer " + Http.json(tokens).path("access_token").asText()));
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
