package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A data provider that changes a large JWK Set again and again must not fill the server's memory. */
@ExtendWith(KeycloakExtension.class)
@Tag("long")
class LargeJwksIT {

    private static final int ROUNDS = 100;
    private static final int MIB = 1024 * 1024;

    /** How many sets a server that has just started needs to load its classes and fill its own caches. */
    private static final int WARM_UP = 20;

    private static final int GROWTH_MIB = 16;

    private final Federation federation;

    LargeJwksIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void heapStaysFlatOverAHundredSets() throws JOSEException, IOException, InterruptedException {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("key").generate();
        DataProviderClient client =
                federation.newDataProvider().encryptedWith("ECDH-ES").key(key).create();
        String path = federation.admin().client(client.clientId());
        long before = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String jwks = fiftyKeys(key, round);
            federation
                    .admin()
                    .update(
                            path,
                            representation ->
                                    representation.withObject("/attributes").put("jwks.string", jwks));
            assertEquals(200, client.post("any-token").statusCode());
            if (round == WARM_UP) {
                before = usedHeap();
            }
        }
        long then = usedHeap();
        System.out.printf("Heap %d MiB after %d sets, %d MiB after %d%n", before / MIB, WARM_UP, then / MIB, ROUNDS);
        assertTrue(then - before < (long) GROWTH_MIB * MIB, before / MIB + " MiB, then " + then / MIB + " MiB");
    }

    /** @return a set of 57 KiB with the largest number of keys that is allowed; only the last key fits */
    private static String fiftyKeys(ECKey last, int round) {
        byte[] modulus = new byte[870];
        new Random(round).nextBytes(modulus);
        String other = "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"" + Base64URL.encode(modulus) + "\"}";
        return "{\"keys\":["
                + Stream.concat(
                                Collections.nCopies(49, other).stream(),
                                Stream.of(last.toPublicJWK().toString()))
                        .collect(Collectors.joining(","))
                + "]}";
    }

    /** @return the used heap in bytes, after a garbage collection */
    private long usedHeap() throws IOException, InterruptedException {
        String port = "--http-port=" + federation.server().baseUrl().getPort();
        ProcessHandle server = ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(port))
                .reduce((parent, child) -> child)
                .orElseThrow();
        String jcmd = System.getProperty("java.home") + "/bin/jcmd";
        new ProcessBuilder(List.of(jcmd, String.valueOf(server.pid()), "GC.run"))
                .inheritIO()
                .start()
                .waitFor();
        return Http.send(Http.request(federation.server().managementUrl() + "/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
