package io.github.checktoken.introspection.jose;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AnswerMembers;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.node.InteropReport;
import io.github.checktoken.support.node.NodeClient;
import io.github.checktoken.support.node.NodeClientInput;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests clients that data providers and service providers already use, unmodified, with the demo realm. */
@Tag("interop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(KeycloakExtension.class)
class InteropIT {

    @RegisterExtension
    static final InteropReport REPORT = new InteropReport("Clients");

    private static final String INACTIVE = "{\"active\":false}";

    private final Federation federation;
    private String token;

    InteropIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeAll
    void signIn() {
        token = federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
    }

    @ParameterizedTest(name = "{0} | {1} asks for a valid token", quoteTextArguments = false)
    @CsvSource({
        "nimbus-jose-jwt, dp-tax",
        "nimbus-jose-jwt, dp-health",
        "jose,            dp-tax",
        "jose,            dp-health",
        "oauth4webapi,    dp-tax",
        "oauth4webapi,    dp-health",
        "openid-client,   dp-tax",
        "openid-client,   dp-health"
    })
    void clientLearnsWhoThePersonIs(String client, String dataProvider) {
        assertIsOfCamille(dataProvider, introspection(client, dataProvider, token));
    }

    @ParameterizedTest(name = "{0} | {1} asks for an unknown token", quoteTextArguments = false)
    @CsvSource({
        "nimbus-jose-jwt, dp-tax",
        "nimbus-jose-jwt, dp-health",
        "jose,            dp-tax",
        "jose,            dp-health",
        "oauth4webapi,    dp-tax",
        "oauth4webapi,    dp-health",
        "openid-client,   dp-tax",
        "openid-client,   dp-health"
    })
    void clientLearnsThatATokenIsNotActive(String client, String dataProvider) {
        assertEquals(INACTIVE, introspection(client, dataProvider, "unknown").toString());
    }

    @Test
    @DisplayName("openid-client | authenticates with private_key_jwt")
    void clientAuthenticatesWithAKey() throws JOSEException {
        ECKey encryption = key("enc", KeyUse.ENCRYPTION, null);
        ECKey signer = key("sig", KeyUse.SIGNATURE, JWSAlgorithm.ES256);
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .with("clientAuthenticatorType", "client-jwt")
                .encryptedWith("ECDH-ES")
                .decryptingWith(encryption)
                .jwks(JwksServer.json(encryption, signer))
                .create();
        Map<String, Object> job = NodeClientInput.of(federation, dataProvider, "RS256", "ECDH-ES", "A256GCM");
        job.put("token", token);
        job.put("assertionKey", signer.toJSONObject());

        assertTrue(NodeClient.run("openid-client", job).get("active").asBoolean());
    }

    private static ECKey key(String kid, KeyUse use, JWSAlgorithm algorithm) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256)
                .keyID(kid)
                .keyUse(use)
                .algorithm(algorithm)
                .generate();
    }

    /** RFC 8414 section 3.1 puts the well-known part before the issuer's path. */
    @Test
    @DisplayName("oauth4webapi | dp-tax finds the metadata as an OAuth client does")
    void metadataIsFoundTheOAuthWay() {
        Map<String, Object> job = job("dp-tax", token);
        job.put("discovery", "oauth2");

        assertIsOfCamille("dp-tax", NodeClient.run("oauth4webapi", job));
    }

    /** A caller that sends no Accept header must get the same answer as the others. */
    @Test
    @DisplayName("form post | sends no Accept")
    void answerNeedsNoAccept() {
        assertIsOfCamille("dp-tax", NodeClient.run("plain-post", job("dp-tax", token)));
    }

    @Test
    @DisplayName("form post | sends Accept: application/json")
    void answerIsTheSameToWhoAcceptsJson() {
        Map<String, Object> job = job("dp-tax", token);
        job.put("accept", "application/json");

        assertIsOfCamille("dp-tax", NodeClient.run("plain-post", job));
    }

    @Test
    @DisplayName(
            "openid-client | service provider: authorization code with PKCE through api/v1/authorize, amr asked for")
    void serviceProviderSignsAPersonInAndLearnsHow() {
        ServiceProvider town = federation.town();
        Map<String, Object> job = Map.of(
                "realm", federation.url(),
                "clientId", town.clientId(),
                "secret", town.secret(),
                "redirectUri", "http://localhost:8999/sp-town/callback",
                "scope", "openid given_name");
        JsonNode request = NodeClient.run("openid-client-login", job);
        Browser browser = new Browser(federation.server());
        HttpResponse<String> page = browser.get(request.get("url").asText());
        HttpResponse<String> redirect = browser.givePassword(page, "camille");
        Map<String, Object> callback = new HashMap<>(job);
        callback.put("checks", request.get("checks"));
        callback.put("callback", redirect.headers().firstValue("Location").orElseThrow());

        JsonNode person = NodeClient.run("openid-client-login", callback);

        assertTrue(request.get("url").asText().startsWith(federation.url() + "/api/v1/authorize?"));
        assertEquals("[\"fc\",\"pwd\"]", person.at("/idToken/amr").toString());
        assertEquals("eidas1", person.at("/idToken/acr").asText());
        assertEquals("Camille Louise Marie", person.at("/userinfo/given_name").asText());
    }

    /** The issuer is the realm's in both versions. Version 1 had no keys of its own. */
    @ParameterizedTest(name = "openid-client | service provider: all addresses of FranceConnect''s API {0} by hand")
    @CsvSource({"v1, logout", "v2, session/end"})
    void serviceProviderKnowsOnlyTheFixedAddresses(String version, String end) {
        ServiceProvider town = federation.town();
        String api = federation.url() + "/api/" + version;
        Map<String, Object> job = new HashMap<>(Map.of(
                "clientId", town.clientId(),
                "secret", town.secret(),
                "redirectUri", "http://localhost:8999/sp-town/callback",
                "scope", "openid given_name",
                "addresses",
                        Map.of(
                                "issuer", federation.url(),
                                "id_token_signing_alg_values_supported", List.of("ES256"),
                                "authorization_endpoint", api + "/authorize",
                                "token_endpoint", api + "/token",
                                "userinfo_endpoint", api + "/userinfo",
                                "jwks_uri", federation.url() + "/api/v2/jwks",
                                "end_session_endpoint", api + "/" + end)));
        JsonNode request = NodeClient.run("openid-client-login", job);
        Browser browser = new Browser(federation.server());
        HttpResponse<String> redirect =
                browser.givePassword(browser.get(request.get("url").asText()), "camille");
        job.put("checks", request.get("checks"));
        job.put("callback", redirect.headers().firstValue("Location").orElseThrow());

        JsonNode person = NodeClient.run("openid-client-login", job);
        HttpResponse<String> signedOut = browser.get(person.get("end").asText());

        assertEquals("[\"fc\",\"pwd\"]", person.at("/idToken/amr").toString());
        assertEquals("Camille Louise Marie", person.at("/userinfo/given_name").asText());
        assertEquals(
                "http://localhost:8999/sp-town/",
                signedOut.headers().firstValue("Location").orElse(null));
        HttpResponse<String> silent =
                browser.get(town.request().with("prompt", "none").url());
        assertTrue(silent.headers().firstValue("Location").orElse("").contains("error=login_required"));
    }

    private JsonNode introspection(String client, String dataProvider, String token) {
        return client.equals("nimbus-jose-jwt")
                ? Http.JSON.valueToTree(dataProvider(dataProvider).check(token).introspection())
                : NodeClient.run(client, job(dataProvider, token));
    }

    private Map<String, Object> job(String dataProvider, String token) {
        Map<String, Object> job = dataProvider.equals("dp-tax")
                ? NodeClientInput.of(federation, federation.tax(), "ES256", "RSA-OAEP-256", "A256GCM")
                : NodeClientInput.of(federation, federation.health(), "RS256", "ECDH-ES", "A256GCM");
        job.put("token", token);
        return job;
    }

    private DataProviderClient dataProvider(String clientId) {
        return clientId.equals("dp-tax") ? federation.tax() : federation.health();
    }

    private static void assertIsOfCamille(String dataProvider, JsonNode introspection) {
        AnswerMembers.check(dataProvider, Http.JSON.convertValue(introspection, Map.class));
        assertTrue(introspection.get("active").asBoolean());
        assertEquals("sp-town", introspection.get("aud").asText());
        assertEquals(
                dataProvider.equals("dp-tax") ? Set.of("tax_household", "tax_income") : Set.of("health_rights"),
                Set.of(introspection.get("scope").asText().split(" ")));
        assertEquals(
                "[\"Camille\",\"Louise\",\"Marie\"]",
                introspection.get("given_name_array").toString());
    }
}
