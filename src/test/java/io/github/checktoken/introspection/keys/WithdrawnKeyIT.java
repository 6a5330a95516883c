package io.github.checktoken.introspection.keys;

import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.introspection.keys.UnusableKey.assertNoKey;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests what makes the server forget a key that it knows, and what does not. */
@ExtendWith(KeycloakExtension.class)
class WithdrawnKeyIT {

    private static final String ANY_TOKEN = "any-token";

    private final ECKey key = new ECKeyGenerator(Curve.P_256).keyID("known").generate();
    private final Federation federation;

    WithdrawnKeyIT(Federation federation) throws JOSEException {
        this.federation = federation;
    }

    @Test
    void knownKeyServesWhileItsHostIsAwayThoughTheRealmCacheWasCleared() {
        try (JwksServer host = new JwksServer(federation.server(), key)) {
            DataProviderClient client = known(host);
            host.close();

            federation.admin().post("/clear-realm-cache", Map.of());

            assertKnown(client);
            assertEquals(1, host.fetches());
        }
    }

    @Test
    void savingTheClientWithdrawsTheKey() {
        try (JwksServer host = new JwksServer(federation.server(), key)) {
            DataProviderClient client = known(host);
            host.close();

            save(client, attributes -> {});

            assertNoKey(client, "ECDH-ES");
        }
    }

    @Test
    void savingTheClientWithdrawsTheKeyThoughTheRealmCacheWasCleared() {
        try (JwksServer host = new JwksServer(federation.server(), key)) {
            DataProviderClient client = known(host);
            host.close();

            federation.admin().post("/clear-realm-cache", Map.of());
            save(client, attributes -> {});

            assertNoKey(client, "ECDH-ES");
        }
    }

    @Test
    void anotherAddressWithdrawsTheKeyForGood() {
        try (JwksServer host = new JwksServer(federation.server(), key)) {
            DataProviderClient client = known(host);
            host.close();

            save(client, attributes -> attributes.put("jwks.url", host.url() + "?moved"));
            assertNoKey(client, "ECDH-ES");

            save(client, attributes -> attributes.put("jwks.url", host.url()));
            assertNoKey(client, "ECDH-ES");
        }
    }

    @Test
    void anotherInlineSetWithdrawsTheKey() {
        DataProviderClient client =
                federation.newDataProvider().encryptedWith("ECDH-ES").key(key).create();
        assertKnown(client);

        save(client, attributes -> attributes.put("jwks.string", "{\"keys\":[]}"));

        assertNoKey(client, "ECDH-ES");
    }

    private DataProviderClient known(JwksServer host) {
        DataProviderClient client = federation
                .newDataProvider()
                .encryptedWith("ECDH-ES")
                .jwksUrl(host.url())
                .decryptingWith(key)
                .create();
        assertKnown(client);
        return client;
    }

    private static void assertKnown(DataProviderClient client) {
        assertEquals("known", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    private void save(DataProviderClient client, Consumer<ObjectNode> change) {
        federation
                .admin()
                .update(
                        federation.admin().client(client.clientId()),
                        representation -> change.accept(representation.withObject("/attributes")));
    }
}
