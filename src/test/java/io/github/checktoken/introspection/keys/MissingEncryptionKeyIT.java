package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

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
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests when a key that a JWK Set did not have is looked for again. */
@ExtendWith(KeycloakExtension.class)
class MissingEncryptionKeyIT {

    private static final String ANY_TOKEN = "any-token";

    private static final Duration WAIT = CachedEncryptionKey.RETRY_INTERVAL;

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
            Instant begin = Instant.now();
            for (int call = 0; call < 6; call++) {
                assertEquals(503, client.post(ANY_TOKEN).statusCode());
                host.serve(signer, key);
            }
            assertEquals(1, host.fetches());

            while (client.post(ANY_TOKEN).statusCode() == 503) {
                assertTrue(since(begin).compareTo(WAIT.plusSeconds(5)) < 0, "the key is not found");
                TimeUnit.MILLISECONDS.sleep(200);
            }

            assertTrue(since(begin).compareTo(WAIT) > 0, "the host is asked again too soon");
            assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
            assertEquals(2, host.fetches());
        }
    }

    private static Duration since(Instant begin) {
        return Duration.between(begin, Instant.now());
    }
}
