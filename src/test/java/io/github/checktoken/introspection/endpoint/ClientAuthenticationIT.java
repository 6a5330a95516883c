package io.github.checktoken.introspection.endpoint;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import io.github.checktoken.fuzz.HostileCallsIT;
import io.github.checktoken.support.client.ClientAssertion;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.TestAuthority;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests each way in which a data provider can authenticate. Correct credentials get an answer. Wrong ones get exactly
 * the same refusal as a wrong secret.
 */
@ExtendWith(KeycloakExtension.class)
class ClientAuthenticationIT {

    private static final String SUBJECT = "CN=dp-library,O=City library,C=FR";

    private static ECKey encryption;
    private static JWK ecSigner;
    private static JWK rsaSigner;
    private static HttpClient certified;

    private final Federation federation;
    private final TestAuthority authority;

    ClientAuthenticationIT(Federation federation, TestAuthority authority) {
        this.federation = federation;
        this.authority = authority;
    }

    @BeforeAll
    static void makeKeys(TestAuthority authority) throws JOSEException {
        encryption = new ECKeyGenerator(Curve.P_256)
                .keyID("enc")
                .keyUse(KeyUse.ENCRYPTION)
                .generate();
        ecSigner = new ECKeyGenerator(Curve.P_256)
                .keyID("sig")
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.ES256)
                .generate();
        rsaSigner = new RSAKeyGenerator(2048)
                .keyID("sig")
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.RS256)
                .generate();
        certified = authority.client(SUBJECT);
    }

    @Test
    void secretInTheBody() {
        DataProviderClient dataProvider = federation.newDataProvider().create();

        assertAnswered(dataProvider, post(dataProvider, secret(dataProvider)));
        assertRefused(post(dataProvider, secret(dataProvider.clientId(), "wrong")));
    }

    @Test
    void secretInTheAuthorizationHeader() {
        DataProviderClient dataProvider = federation.newDataProvider().create();

        assertAnswered(dataProvider, basic(dataProvider, dataProvider.secret()));
        assertRefused(basic(dataProvider, "wrong"));
    }

    @Test
    void assertionSignedWithTheSecret() {
        DataProviderClient dataProvider = registered("client-secret-jwt").create();

        assertAnswered(dataProvider, post(dataProvider, assertion(dataProvider).signedBy(dataProvider.secret())));
        assertRefused(post(dataProvider, assertion(dataProvider).signedBy("wrong-" + dataProvider.secret())));
    }

    /** The signing key and the encryption key are in the same set. */
    @ParameterizedTest
    @ValueSource(strings = {"ES256", "RS256"})
    void assertionSignedWithAKey(String algorithm) throws JOSEException {
        JWK signer = algorithm.equals("ES256") ? ecSigner : rsaSigner;
        DataProviderClient dataProvider = withSigner(signer).create();

        assertAnswered(dataProvider, post(dataProvider, assertion(dataProvider).signedBy(signer)));
        assertRefused(post(dataProvider, assertion(dataProvider).signedBy(another(signer))));
    }

    @Test
    void assertionSignedWithAKeyBehindAnAddress() {
        try (JwksServer host = new JwksServer(federation.server(), encryption, ecSigner)) {
            DataProviderClient dataProvider = registered("client-jwt")
                    .encryptedWith("ECDH-ES")
                    .decryptingWith(encryption)
                    .jwksUrl(host.url())
                    .create();

            assertAnswered(
                    dataProvider, post(dataProvider, assertion(dataProvider).signedBy(ecSigner)));
        }
    }

    @Test
    void assertionSignedWithTheEncryptionKeyIsRefused() {
        DataProviderClient dataProvider = withSigner(ecSigner).create();
        JWK encryptionKey = new ECKey.Builder(encryption)
                .keyUse(null)
                .algorithm(JWSAlgorithm.ES256)
                .build();

        assertRefused(post(dataProvider, assertion(dataProvider).signedBy(encryptionKey)));
    }

    /** OpenID Connect clients take the issuer of the metadata for the audience. */
    @Test
    void assertionForTheIssuerOfTheMetadata() {
        DataProviderClient byKey = withSigner(ecSigner).create();
        DataProviderClient bySecret = registered("client-secret-jwt").create();

        assertAnswered(byKey, post(byKey, assertion(byKey).with("aud", issuer()).signedBy(ecSigner)));
        assertAnswered(
                bySecret,
                post(bySecret, assertion(bySecret).with("aud", issuer()).signedBy(bySecret.secret())));
    }

    /** Many libraries take the address to which they send the assertion for the audience (RFC 7523 section 3). */
    @ParameterizedTest
    @ValueSource(strings = {"/api/v2/checktoken", "/checktoken"})
    void assertionForTheEndpoint(String path) {
        DataProviderClient byKey = withSigner(ecSigner).create();
        DataProviderClient bySecret = registered("client-secret-jwt").create();
        String endpoint = federation.url() + path;

        assertAnswered(byKey, post(byKey, assertion(byKey).with("aud", endpoint).signedBy(ecSigner)));
        assertRefused(post(byKey, assertion(byKey).with("aud", endpoint).signedBy(byKey.secret())));
        assertAnswered(
                bySecret,
                post(bySecret, assertion(bySecret).with("aud", endpoint).signedBy(bySecret.secret())));
        assertRefused(post(bySecret, assertion(bySecret).with("aud", endpoint).signedBy("wrong-" + bySecret.secret())));
    }

    /** Whatever else is wrong is refused as with the realm's issuer. */
    @Test
    void assertionForTheIssuerOfTheMetadataIsCheckedByKeycloak() throws JOSEException {
        DataProviderClient byKey = withSigner(ecSigner).create();
        DataProviderClient bySecret = registered("client-secret-jwt").create();
        long past = Instant.now().minusSeconds(120).getEpochSecond();
        Map<String, String> once = assertion(byKey).with("aud", issuer()).signedBy(ecSigner);

        assertAnswered(byKey, post(byKey, once));
        assertRefused(post(byKey, once));
        assertRefused(post(byKey, assertion(byKey).with("aud", issuer()).signedBy(another(ecSigner))));
        assertRefused(post(
                byKey,
                assertion(byKey)
                        .with("aud", issuer())
                        .with("iat", past)
                        .with("exp", past + 30)
                        .signedBy(ecSigner)));
        assertRefused(post(byKey, assertion(byKey).with("aud", issuer()).signedBy(byKey.secret())));
        assertRefused(post(bySecret, assertion(bySecret).with("aud", issuer()).signedBy("wrong-" + bySecret.secret())));
    }

    @Test
    void clientsThatMayNotCallAreRefusedWithAnAssertionForTheIssuerOfTheMetadata() {
        DataProviderClient disabled =
                withSigner(ecSigner).with("enabled", false).create();
        DataProviderClient bySecret = federation
                .newDataProvider()
                .encryptedWith("ECDH-ES")
                .jwks(JwksServer.json(encryption, ecSigner))
                .create();

        assertRefused(post(disabled, assertion(disabled).with("aud", issuer()).signedBy(ecSigner)));
        assertRefused(post(bySecret, assertion(bySecret).with("aud", issuer()).signedBy(ecSigner)));
        assertRefused(post(bySecret, assertion(bySecret).with("aud", issuer()).signedBy(bySecret.secret())));
    }

    /** Only checktoken belongs to that issuer. */
    @Test
    void tokenEndpointRefusesAnAssertionForChecktoken() {
        DataProviderClient dataProvider =
                withSigner(ecSigner).with("serviceAccountsEnabled", true).create();
        String tokens = federation.server().realmUrl(federation.realm()) + "/protocol/openid-connect/token";

        String realm = federation.server().realmUrl(federation.realm()).toString();
        for (String audience : List.of(issuer(), issuer() + "/checktoken", realm)) {
            Map<String, String> form =
                    new HashMap<>(assertion(dataProvider).with("aud", audience).signedBy(ecSigner));
            form.put("grant_type", "client_credentials");
            assertEquals(
                    audience.equals(realm) ? 200 : 400,
                    Http.send(Http.form(tokens, form)).statusCode(),
                    audience);
        }
    }

    /** Keycloak reads such an audience as one that is null. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"aud\":5}", "{\"aud\":[null]}"})
    void assertionWhoseAudienceIsNoTextIsRefused(String claims) {
        DataProviderClient dataProvider = withSigner(ecSigner).create();
        Map<String, String> assertion =
                new HashMap<>(assertion(dataProvider).with("aud", issuer()).signedBy(ecSigner));
        assertion.put("client_assertion", "e30." + Base64URL.encode(claims) + ".x");
        assertRefused(post(dataProvider, assertion));
    }

    @Test
    void assertionForSomebodyElseIsRefused() {
        DataProviderClient dataProvider = withSigner(ecSigner).create();

        for (Object audience : List.of(
                "https://other.example.org",
                issuer() + "/",
                issuer() + "/checktoken/",
                issuer() + "/other",
                issuer().replace(federation.realm(), "other"),
                List.of(issuer(), issuer() + "/checktoken"),
                List.of(issuer(), "https://other.example.org"))) {
            assertRefused(post(
                    dataProvider, assertion(dataProvider).with("aud", audience).signedBy(ecSigner)));
        }
    }

    @Test
    void assertionThatHasExpiredIsRefused() {
        DataProviderClient dataProvider = withSigner(ecSigner).create();
        long past = Instant.now().minusSeconds(120).getEpochSecond();

        assertRefused(post(
                dataProvider,
                assertion(dataProvider).with("iat", past).with("exp", past + 30).signedBy(ecSigner)));
    }

    @Test
    void assertionThatWasUsedIsRefused() {
        DataProviderClient dataProvider = withSigner(ecSigner).create();
        Map<String, String> once = assertion(dataProvider).signedBy(ecSigner);

        assertAnswered(dataProvider, post(dataProvider, once));
        assertRefused(post(dataProvider, once));
    }

    @Test
    void certificateOfTheRegisteredSubject() {
        DataProviderClient dataProvider = withCertificate().create();

        assertAnswered(dataProvider, overTls(certified, Map.of("client_id", dataProvider.clientId())));
    }

    @Test
    void certificateOfAnotherSubjectIsRefused() {
        DataProviderClient dataProvider = withCertificate().create();

        assertRefused(overTls(
                authority.client("CN=dp-other,O=City library,C=FR"), Map.of("client_id", dataProvider.clientId())));
    }

    @Test
    void secretInPlaceOfTheCertificateIsRefused() {
        DataProviderClient dataProvider = withCertificate().create();

        assertRefused(overTls(authority.client(), secret(dataProvider)));
    }

    /**
     * Every call without a credential gets this answer, whichever credential is registered. So nobody learns that a
     * certificate is expected.
     */
    @Test
    void nothingInPlaceOfTheCertificateIsAMissingParameter() {
        DataProviderClient dataProvider = withCertificate().create();

        HttpResponse<String> response = overTls(authority.client(), Map.of("client_id", dataProvider.clientId()));

        assertEquals(400, response.statusCode());
        assertEquals(post(federation.tax(), Map.of("client_id", "dp-tax")).body(), response.body());
    }

    @Test
    void anotherMethodThanTheRegisteredOneIsRefused() {
        DataProviderClient bySecret = federation
                .newDataProvider()
                .encryptedWith("ECDH-ES")
                .jwks(JwksServer.json(encryption, ecSigner))
                .create();
        assertRefused(post(bySecret, assertion(bySecret).signedBy(bySecret.secret())));
        assertRefused(post(bySecret, assertion(bySecret).signedBy(ecSigner)));
        assertRefused(overTls(certified, Map.of("client_id", bySecret.clientId())));

        DataProviderClient bySecretJwt = registered("client-secret-jwt").create();
        assertRefused(post(bySecretJwt, secret(bySecretJwt)));
        assertRefused(basic(bySecretJwt, bySecretJwt.secret()));

        DataProviderClient byKey = withSigner(ecSigner).create();
        assertRefused(post(byKey, secret(byKey)));
        assertRefused(post(byKey, assertion(byKey).signedBy(byKey.secret())));

        DataProviderClient byCertificate = withCertificate().create();
        assertRefused(post(byCertificate, secret(byCertificate)));
        assertRefused(post(byCertificate, assertion(byCertificate).signedBy(byCertificate.secret())));
    }

    @Test
    void clientOfAnotherProtocolAndUnreadableHeaderAreRefused() {
        // Otherwise Keycloak makes an RSA key of 4096 bits for the client, which can take a minute.
        DataProviderClient saml = federation
                .newDataProvider()
                .with("protocol", "saml")
                .attribute("saml.client.signature", "false")
                .create();
        assertRefused(post(saml, secret(saml)));
        assertEquals("invalid_client", event(saml.clientId()).path("error").asText());

        DataProviderClient dataProvider = federation.newDataProvider().create();
        for (String header : List.of("Basic ?", "Basic", "Basic YQ==")) {
            HttpResponse<String> response = Http.send(
                    Http.form(dataProvider.url(), Map.of("token", "any-token", "client_id", dataProvider.clientId()))
                            .header("Authorization", header));
            assertRefused(response);
            JsonNode event = event(dataProvider.clientId());
            assertEquals("invalid_client_credentials", event.path("error").asText());
            assertFalse(event.at("/details").has("reason"), event::toString);
        }
    }

    private JsonNode event(String clientId) {
        return federation
                .admin()
                .get("/events?type=INTROSPECT_TOKEN_ERROR&max=1&client=" + clientId)
                .path(0);
    }

    /** The secret beside it is correct, but a client must not authenticate in two ways (RFC 6749 section 2.3). */
    @ParameterizedTest
    @ValueSource(strings = {"unreadable", "a.b.c", "e30.bnVsbA.e30", "e30.eyJzdWIiOiJcdTAwMDAifQ.e30"})
    @ResourceLock(HostileCallsIT.LOG_OF_ASSERTIONS)
    void assertionThatCannotBeReadIsRefusedWithoutAStackTrace(String assertion) throws IOException {
        long before = stackTraces();
        DataProviderClient dataProvider = federation.newDataProvider().create();
        Map<String, String> credentials = new HashMap<>(secret(dataProvider));
        credentials.put("client_assertion", assertion);
        credentials.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");

        HttpResponse<String> response = post(dataProvider, credentials);

        assertEquals(401, response.statusCode(), response::body);
        assertEquals(before, stackTraces());
    }

    private long stackTraces() throws IOException {
        return Files.readAllLines(federation.server().log()).stream()
                .filter(line -> line.contains("Error when validating client assertion"))
                .count();
    }

    private String issuer() {
        return federation.server().realmUrl(federation.realm()) + "/api/v2";
    }

    private NewDataProvider registered(String authenticator) {
        return federation.newDataProvider().with("clientAuthenticatorType", authenticator);
    }

    private NewDataProvider withSigner(JWK signer) {
        return registered("client-jwt")
                .encryptedWith("ECDH-ES")
                .decryptingWith(encryption)
                .jwks(JwksServer.json(encryption, signer));
    }

    private NewDataProvider withCertificate() {
        return registered("client-x509")
                .attribute("x509.subjectdn", SUBJECT)
                .attribute("x509.allow.regex.pattern.comparison", "false")
                .attribute("x509.casubjectdn", TestAuthority.SUBJECT);
    }

    private ClientAssertion assertion(DataProviderClient dataProvider) {
        return new ClientAssertion(dataProvider.clientId(), federation.url());
    }

    private static JWK another(JWK signer) throws JOSEException {
        Algorithm algorithm = signer.getAlgorithm();
        return signer instanceof ECKey
                ? new ECKeyGenerator(Curve.P_256)
                        .keyID("sig")
                        .algorithm(algorithm)
                        .generate()
                : new RSAKeyGenerator(2048).keyID("sig").algorithm(algorithm).generate();
    }

    private static Map<String, String> secret(DataProviderClient dataProvider) {
        return secret(dataProvider.clientId(), dataProvider.secret());
    }

    private static Map<String, String> secret(String clientId, String secret) {
        return Map.of("client_id", clientId, "client_secret", secret);
    }

    private static HttpResponse<String> post(DataProviderClient dataProvider, Map<String, String> credentials) {
        return Http.send(form(dataProvider.url(), credentials));
    }

    private static HttpResponse<String> basic(DataProviderClient dataProvider, String secret) {
        ClientSecretBasic credentials =
                new ClientSecretBasic(new ClientID(dataProvider.clientId()), new Secret(secret));
        return Http.send(
                form(dataProvider.url(), Map.of()).header("Authorization", credentials.toHTTPAuthorizationHeader()));
    }

    private HttpResponse<String> overTls(HttpClient client, Map<String, String> credentials) {
        return Http.send(client, form(federation.secureUrl() + "/api/v2/checktoken", credentials));
    }

    /** The token is unknown, because every client that is authenticated gets an answer about any token. */
    private static HttpRequest.Builder form(String url, Map<String, String> credentials) {
        Map<String, String> form = new HashMap<>(credentials);
        form.put("token", "unknown");
        return Http.form(url, form);
    }

    private static void assertAnswered(DataProviderClient dataProvider, HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response::body);
        assertEquals(
                dataProvider.clientId(),
                dataProvider.read(response.body()).payload().get("aud"));
    }

    private void assertRefused(HttpResponse<String> response) {
        HttpResponse<String> wrongSecret = post(federation.tax(), secret("dp-tax", "wrong"));
        assertEquals(401, response.statusCode(), response::body);
        assertEquals("invalid_client", Http.json(response.body()).get("error").asText());
        assertEquals(wrongSecret.body(), response.body());
        assertEquals(List.of("no-store"), response.headers().allValues("Cache-Control"));
        assertTrue(response.headers().firstValue("WWW-Authenticate").isPresent());
    }
}
