package io.github.checktoken.conformance;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.RealmKeys;
import org.opentest4j.TestAbortedException;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** The steps about discovery, registration and the server's keys. */
record DynamicSteps(TestInstance test) {

    /** The redirect URIs of a sector, as its address has them. */
    private static final String SECTOR = "[\"https://client.example/callback\"]";

    /**
     * The test's server has no TLS. Therefore one rule is left out: every endpoint has an HTTPS address.
     *
     * @param supported what the metadata must have
     */
    void discovery(Map<String, String> supported) {
        ConformanceRealm realm = test.realm();
        HttpResponse<String> response = test.result().saw("discovery", ConformanceRealm.discover(realm.issuer()));
        OIDCProviderMetadata metadata =
                assertDoesNotThrow(() -> OIDCProviderMetadata.parse(response.body()), "Discovery 3");
        assertEquals(realm.issuer(), metadata.getIssuer().getValue(), "Discovery 4.3: the issuer has this address");
        supported.forEach((member, values) ->
                assertTrue(realm.supports(member, values), "Core 15: %s has %s".formatted(member, values)));
        keys(realm);
    }

    /** @return the ids of the server's keys */
    private Set<String> keys(ConformanceRealm realm) {
        HttpResponse<String> response = test.result().saw("keys", realm.keys());
        JWKSet keys = assertDoesNotThrow(() -> JWKSet.parse(response.body()), "RFC 7517 5");
        Set<String> ids = keys.getKeys().stream().map(JWK::getKeyID).collect(Collectors.toSet());
        assertTrue(ids.size() == keys.size() && !ids.contains(null), "Core 10.1: each key has its own id");
        assertFalse(keys.containsNonPublicKeys(), "Discovery 3: no key is private");
        return ids;
    }

    void newServerKey() {
        ConformanceRealm realm = ConformanceRealm.create(test.realm().server(), "rotation");
        Set<String> before = keys(realm);
        try (RealmKeys keys = new RealmKeys(realm.admin())) {
            keys.add("RS256");
            Set<String> after = keys(realm);
            assertFalse(before.containsAll(after), "Core 10.1.1: there is a new key");
            test.result().should(after.containsAll(before), "Core 10.1.1: the old key is still there");
        }
    }

    void register() {
        test.host().serve(SECTOR);
        test.register();
    }

    void refuseRegistration() {
        test.host().serve(SECTOR);
        HttpResponse<String> response = test.client().tryToRegister();
        boolean isNamed = response.body().matches(".*\"invalid_(redirect_uri|client_metadata)\".*");
        assertTrue(response.statusCode() == 400 && isNamed, "Registration 3.3: the error says what is wrong");
    }

    /** Keycloak shows the client's addresses on the page for consent, and therefore consent is required. */
    void pageWith(String address) {
        Map<String, String> request = test.register();
        AdminApi admin = test.realm().admin();
        admin.update(admin.client(request.get("client_id")), client -> client.put("consentRequired", true));
        HttpResponse<String> login = test.open(request);
        String shown = login.body() + test.signIn(login).body();
        test.result().should(shown.contains(address), "Registration 2: the person sees the address");
    }

    void issuerAsAudience() {
        HttpResponse<String> response =
                test.client().requestTokens(test.codeGrant(), test.realm().issuer());
        test.result().should(response.statusCode() == 200, "RFC 7523 3: an assertion may be addressed to the issuer");
    }

    /** For what Keycloak does not have, as the list in its metadata says. */
    void notSupported(String argument) {
        String[] parts = argument.split("=");
        if (!test.realm().supports(parts[0], parts[1])) {
            throw new TestAbortedException("the server does not support " + argument);
        }
        fail("This is supported, but there is no step for it");
    }
}
