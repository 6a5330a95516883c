package io.github.checktoken.conformance;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.client.ClientInformation;
import com.nimbusds.oauth2.sdk.util.JSONObjectUtils;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import io.github.checktoken.support.client.ClientAssertion;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** A client that registers itself, and its requests to the token endpoint. */
final class RegisteredClient {

    /** All clients sign with it, because a key takes long to make. */
    static final RSAKey KEY = newKey("first");

    private final ConformanceRealm realm;
    private final TestResult result;
    private final Map<String, Object> metadata = new HashMap<>();
    private RSAKey key = KEY;
    private ClientInformation information;

    /** @param changes of what it registers; an empty value leaves a member out */
    RegisteredClient(ConformanceRealm realm, TestPlan plan, TestResult result, Map<String, String> changes) {
        this.realm = realm;
        this.result = result;
        metadata.put("redirect_uris", List.of("https://client.example/callback"));
        metadata.put("jwks", new JWKSet(KEY).toJSONObject());
        metadata.put("response_types", List.of(plan.responseType()));
        metadata.put("grant_types", List.of("authorization_code", "implicit", "refresh_token"));
        metadata.put(
                "token_endpoint_auth_method", plan == TestPlan.DYNAMIC ? "private_key_jwt" : "client_secret_basic");
        changes.forEach(
                (name, value) -> metadata.put(name, name.endsWith("_uris") ? List.of(value.split(" ")) : value));
        metadata.values().removeIf(""::equals);
    }

    static RSAKey newKey(String id) {
        RSAKeyGenerator generator = new RSAKeyGenerator(2048);
        generator.keyID(id).algorithm(JWSAlgorithm.RS256).keyUse(KeyUse.SIGNATURE);
        return assertDoesNotThrow(() -> generator.generate());
    }

    void signWith(RSAKey newKey) {
        key = newKey;
    }

    /** @return the response to the registration */
    ClientInformation information() {
        return information;
    }

    HttpResponse<String> tryToRegister() {
        HttpRequest.Builder request = Http.request(realm.address("registration_endpoint"))
                .header("Authorization", "Bearer " + realm.registrationToken())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Http.JSON.valueToTree(metadata).toString()));
        return result.saw("registration", Http.send(request));
    }

    void register() {
        HttpResponse<String> response = tryToRegister();
        assertEquals(201, response.statusCode(), "Registration 3.2: a registration is answered with status 201");
        information = assertDoesNotThrow(
                () -> ClientInformation.parse(JSONObjectUtils.parse(response.body())), "Registration 3.2");
    }

    /** @param audience of the assertion, if this client authenticates with one */
    HttpResponse<String> requestTokens(Map<String, String> grant, String audience) {
        Map<String, String> form = new HashMap<>(grant);
        String method = metadata.get("token_endpoint_auth_method").toString();
        if (method.equals("client_secret_post")) {
            form.put("client_id", information.getID().getValue());
            form.put("client_secret", information.getSecret().getValue());
        } else if (method.equals("private_key_jwt")) {
            form.putAll(new ClientAssertion(information.getID().getValue(), audience).signedBy(key));
        }
        HttpRequest.Builder request = Http.form(realm.address("token_endpoint"), form);
        if (method.equals("client_secret_basic")) {
            ClientSecretBasic basic = new ClientSecretBasic(information.getID(), information.getSecret());
            request.header("Authorization", basic.toHTTPAuthorizationHeader());
        }
        return result.saw("token", Http.send(request));
    }

    HttpResponse<String> requestTokens(Map<String, String> grant) {
        return requestTokens(grant, realm.address("token_endpoint"));
    }

    Tokens tokens(Map<String, String> grant) {
        HttpResponse<String> response = requestTokens(grant);
        assertEquals(200, response.statusCode(), "Core 3.1.3.3: a token request is answered with status 200");
        assertDoesNotThrow(() -> OIDCTokenResponse.parse(JSONObjectUtils.parse(response.body())), "Core 3.1.3.3");
        Tokens tokens = Tokens.of(Http.json(response));
        assertNotNull(tokens.idToken(), "Core 3.1.3.3: the response has an ID token");
        return tokens;
    }
}
