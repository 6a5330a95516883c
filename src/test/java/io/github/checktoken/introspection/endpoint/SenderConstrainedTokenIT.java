package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpClient;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.TestAuthority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A token can be bound to a key or a certificate of its service provider. The data provider has neither. The answer
 * contains the binding from the token, so that the data provider can check the service provider's proof.
 */
@ExtendWith(KeycloakExtension.class)
class SenderConstrainedTokenIT {

    private static final String BOUND_TO_CERTIFICATE = "tls.client.certificate.bound.access.tokens";
    private static final String LIGHTWEIGHT = "client.use.lightweight.access.token.enabled";
    private static final String SUBJECT = "CN=dp-library";

    private static HttpClient certificate;

    private final Federation federation;
    private final TestAuthority authority;
    private final AdminApi admin;

    SenderConstrainedTokenIT(Federation federation, TestAuthority authority) {
        this.federation = federation;
        this.authority = authority;
        this.admin = federation.admin();
    }

    @BeforeAll
    static void issue(TestAuthority authority) {
        certificate = authority.client("CN=sp-town");
    }

    @AfterEach
    void restore() {
        set(BOUND_TO_CERTIFICATE, "false");
        set(LIGHTWEIGHT, "false");
    }

    @Test
    void keyOfADPoPBoundToken() {
        Tokens tokens = signInWithDPoP();

        assertEquals("DPoP", tokens.accessClaims().get("typ").asText());
        assertTrue(confirmation(tokens).hasNonNull("jkt"));
        assertEquals(confirmation(tokens), told(federation.tax(), tokens));
    }

    @Test
    void keyOfADPoPBoundLightweightToken() {
        set(LIGHTWEIGHT, "true");
        Tokens tokens = signInWithDPoP();

        assertTrue(confirmation(tokens).hasNonNull("jkt"));
        assertEquals(confirmation(tokens), told(federation.tax(), tokens));
    }

    @Test
    void certificateOfAnMtlsBoundToken() {
        Tokens tokens = signInWithCertificate();

        assertTrue(confirmation(tokens).hasNonNull("x5t#S256"));
        assertEquals(confirmation(tokens), told(federation.tax(), tokens));
    }

    @Test
    void certificateOfAnMtlsBoundLightweightToken() {
        set(LIGHTWEIGHT, "true");
        Tokens tokens = signInWithCertificate();

        assertTrue(confirmation(tokens).hasNonNull("x5t#S256"));
        assertEquals(confirmation(tokens), told(federation.tax(), tokens));
    }

    /**
     * Whenever Keycloak makes a token, it binds it to the certificate of the connection. Here that is the data
     * provider's certificate, which would be the wrong one.
     */
    @Test
    void certificateIsTheServiceProvidersThoughTheDataProviderHasOneToo() {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .attribute("x509.subjectdn", SUBJECT)
                .attribute("x509.allow.regex.pattern.comparison", "false")
                .attribute("x509.casubjectdn", TestAuthority.SUBJECT)
                .attribute(BOUND_TO_CERTIFICATE, "true")
                .with("clientAuthenticatorType", "client-x509")
                .create();
        Tokens tokens = tokenOfAServiceAccountOverTls();

        String answer = Http.send(
                        authority.client(SUBJECT),
                        Http.form(
                                federation.secureUrl() + "/api/v2/checktoken",
                                Map.of("client_id", dataProvider.clientId(), "token", tokens.accessToken())))
                .body();

        assertTrue(confirmation(tokens).hasNonNull("x5t#S256"));
        assertEquals(
                confirmation(tokens),
                Http.JSON.valueToTree(dataProvider.read(answer).introspection().get("cnf")));
    }

    private Tokens signInWithDPoP() {
        return federation.town().provingPossession().signIn("camille", "openid");
    }

    private Tokens signInWithCertificate() {
        set(BOUND_TO_CERTIFICATE, "true");
        return federation.town().presenting(certificate).signIn("camille", "openid");
    }

    /** The issuer of the token is the TLS address, because the data provider calls that address. */
    private Tokens tokenOfAServiceAccountOverTls() {
        String clientId = "sp-" + UUID.randomUUID();
        admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "secret",
                        "demo-secret",
                        "serviceAccountsEnabled",
                        true,
                        "attributes",
                        Map.of(BOUND_TO_CERTIFICATE, "true", LIGHTWEIGHT, "true")));
        return new ServiceProvider(federation.server(), federation.realm(), clientId, "demo-secret", "")
                .presenting(certificate)
                .token(Map.of("grant_type", "client_credentials"));
    }

    private void set(String attribute, String value) {
        admin.update(admin.client("sp-town"), it -> ((ObjectNode) it.get("attributes")).put(attribute, value));
    }

    private static JsonNode confirmation(Tokens tokens) {
        // Keycloak adds this member for its own use.
        return ((ObjectNode) tokens.accessClaims().get("cnf")).without("kc-jkt-type");
    }

    /** @return the binding in the answer to a data provider that presents no proof */
    private static JsonNode told(DataProviderClient dataProvider, Tokens tokens) {
        Answer answer = dataProvider.check(tokens.accessToken());
        assertTrue(answer.active());
        return Http.JSON.valueToTree(answer.introspection().get("cnf"));
    }
}
