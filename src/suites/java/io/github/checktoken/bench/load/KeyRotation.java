package io.github.checktoken.bench.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.RealmKeys;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * Replaces the key behind a data provider's address, and the keys with which the realm signs. The realm's keys of one
 * rotation ago stay, because tokens that they have signed are still in use.
 */
public final class KeyRotation implements AutoCloseable {

    private static final int RSA_BITS = 2048;

    /** More than the keys that the realm began with. */
    private static final int FIRST_PRIORITY = 1000;

    private final DataProviderClient dataProvider;
    private final AdminApi admin;
    private final String client;
    private final JwksServer host;
    private final RealmKeys realmKeys;
    private int rotations;

    /** Makes the data provider's client read its keys from an address. */
    public KeyRotation(KeycloakServer keycloak, BenchRealm realm, DataProviderClient dataProvider) {
        this.dataProvider = dataProvider;
        this.admin = realm.admin();
        this.client = admin.client(dataProvider.clientId());
        this.host = new JwksServer(keycloak, dataProvider.privateKey());
        this.realmKeys = new RealmKeys(admin);
        admin.update(
                client,
                json -> ((ObjectNode) json.get("attributes"))
                        .put("use.jwks.string", "false")
                        .put("use.jwks.url", "true")
                        .put("jwks.url", host.url()));
    }

    public int rotations() {
        return rotations;
    }

    /**
     * Replaces all of these keys, and checks that the new ones are used, the encryption key only after a save. checktoken reads the set of an address every 5
     * minutes, or after the client was saved: an administrator saves it at every second rotation, so that both happen.
     *
     * @param token any token of the realm
     */
    public void rotate(String token) throws JOSEException {
        rotations++;
        String signedWith = dataProvider.check(token).signature().getKeyID();
        dataProvider.rotate(
                new RSAKeyGenerator(RSA_BITS).keyID("rotation-" + rotations).generate());
        host.serve(dataProvider.privateKey());
        realmKeys.add("ES256", FIRST_PRIORITY + rotations);
        realmKeys.add("RS256", FIRST_PRIORITY + rotations);
        realmKeys.keepNewest(4);
        boolean saved = rotations % 2 == 0;
        if (saved) {
            admin.update(client, json -> {});
        }
        Answer answer = dataProvider.check(token);
        if (answer.signature().getKeyID().equals(signedWith)) {
            throw new AssertionError("The realm still signs with its old key");
        }
        if (saved
                && !answer.encryption()
                        .getKeyID()
                        .equals(dataProvider.privateKey().getKeyID())) {
            throw new AssertionError("The answer is encrypted to an old key, although the client was saved");
        }
    }

    @Override
    public void close() {
        realmKeys.close();
        host.close();
    }
}
