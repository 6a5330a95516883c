package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** When a JWK Set is asked for again, and what serves meanwhile. Time is Keycloak's, which a test may put forward. */
class JwksStorageTest {

    private final JwksStorage storage = new JwksStorage(new LocalKeyStorage(), "dp-unit");
    private final String entry = UUID.randomUUID().toString();
    private int fetches;
    private JwksStorage.Source host = () -> {
        throw new IOException("down");
    };

    @AfterEach
    void backToTheClock() {
        Time.setOffset(0);
    }

    @Test
    void oneFetchServesFiveMinutes() throws JOSEException {
        host = serving("first");
        assertEquals(List.of("first"), kids());
        host = serving("second");

        later(295);
        assertEquals(List.of("first"), kids());
        later(7);
        assertEquals(List.of("second"), kids());
        assertEquals(2, fetches);
    }

    @Test
    void keysKnownBeforeGoOnServingWhileTheHostIsDown() throws JOSEException {
        host = serving("known");
        kids();
        host = this::fail;

        for (int days = 0; days < 3; days++) {
            later(24 * 3600);
            assertEquals(List.of("known"), kids());
        }
    }

    @Test
    void hostThatIsDownIsAskedOnceInTenSeconds() throws JOSEException {
        host = serving("known");
        kids();
        host = this::fail;
        later(302);
        for (int call = 0; call < 20; call++) {
            kids();
        }
        assertEquals(2, fetches);

        later(12);
        kids();
        assertEquals(3, fetches);
    }

    @Test
    void hostThatNeverAnsweredIsAskedOnceInTenSeconds() {
        host = this::fail;
        for (int call = 0; call < 20; call++) {
            assertEquals(List.of(), kids());
        }
        assertEquals(1, fetches);
    }

    @Test
    void newKeyIsFoundAfterTenSecondsWhereNoneFitted() throws JOSEException {
        host = serving("other");
        kids();
        host = serving("fitting");

        later(8);
        assertEquals(List.of("other"), kids());
        later(4);
        assertEquals(List.of("fitting"), kids());
    }

    @Test
    void keysThatTheHostHasWithdrawnDoNotServeWhenItFailsLater() throws JOSEException {
        host = serving("withdrawn");
        kids();
        host = serving("other");
        later(302);
        kids();
        host = this::fail;
        later(12);

        assertEquals(List.of(), kids());
    }

    @Test
    void keysThatFollowedAFailureAreKnownFromThenOn() throws JOSEException {
        host = this::fail;
        kids();
        host = serving("late");
        later(12);
        assertEquals(List.of("late"), kids());
        host = this::fail;
        later(302);

        assertEquals(List.of("late"), kids());
    }

    @Test
    void onlyOneCallerWaitsForAHangingHostWhileKeysAreKnown() throws Exception {
        host = serving("known");
        kids();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        host = () -> {
            asked.countDown();
            awaitOrFail(hanging);
            throw new IOException("hung");
        };
        later(302);
        // Not the common pool: on two cores it has one thread.
        ExecutorService callers = Executors.newFixedThreadPool(2);
        Future<List<String>> waiting = callers.submit(this::kids);
        awaitOrFail(asked);

        try {
            List<String> others = callers.submit(this::kids).get(2, TimeUnit.SECONDS);
            assertEquals(List.of("known"), others);
        } finally {
            hanging.countDown();
            callers.shutdown();
        }
        assertEquals(List.of("known"), waiting.get(2, TimeUnit.SECONDS));
    }

    /** What fits in these tests is whatever is not called "other". */
    private List<String> kids() {
        return storage.keys(entry, key -> !"other".equals(key.getKid()), () -> host.read()).stream()
                .map(KeyWrapper::getKid)
                .toList();
    }

    private JwksStorage.Source serving(String kid) throws JOSEException {
        String jwks =
                new JWKSet(new ECKeyGenerator(Curve.P_256).keyID(kid).generate().toPublicJWK()).toString();
        return () -> {
            fetches++;
            return jwks;
        };
    }

    private String fail() throws IOException {
        fetches++;
        throw new IOException("down");
    }

    private static void later(int seconds) {
        Time.setOffset(Time.getOffset() + seconds);
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            if (!latch.await(5, TimeUnit.SECONDS)) {
                throw new AssertionError("waited in vain");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
