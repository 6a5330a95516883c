package io.github.checktoken.introspection.keys;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests when a key that a JWK Set did not have is looked for again. */
@ExtendWith(KeycloakExtension.class)
class MissingEncryptionKeyIT {

    private static final String ANY_TOKEN = "any-token";

    private final Federation federation;

    MissingEncryptionKeyIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void keyThatWasMissingIsLookedForAgainAfterTenSeconds() throws JOSEException, InterruptedException {
        ECKey signer = new ECKeyGenerator(Curve.P_256).keyUse(KeyUse.SIGNATURE).generate();
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("key").generate();
        try (JwksServer host = new JwksServer(federation.server(), signer)) {
            DataProviderClient client = federation
                    .newDataProvider()
                    .encryptedWith("ECDH-ES")
                    .jwksUrl(host.url())
                    .decryptingWith(key)
                    .create();
            for (int call = 0; call < 6; call++) {
                assertEquals(503, client.post(ANY_TOKEN).statusCode());
                host.serve(signer, key);
            }
            assertEquals(1, host.fetches());

            Thread.sleep(11_500);

            assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
            assertEquals(2, host.fetches());
        }
    }
}
