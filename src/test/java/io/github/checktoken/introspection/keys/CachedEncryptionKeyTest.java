package io.github.checktoken.introspection.keys;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests when a JWK Set is loaded again, and which key is used meanwhile. The tests move the time forward. */
class CachedEncryptionKeyTest {

    private final long start = Time.currentTimeMillis() - 1000;
    private long nanoTime = System.nanoTime();
    private final CachedEncryptionKey known = new CachedEncryptionKey("ECDH-ES", () -> nanoTime);
    private ClientJwks jwks = saved(1);
    private CompletableFuture<FetchedJwks> host = down();
    private int loads;

    @AfterEach
    void backToTheClock() {
        Time.setOffset(0);
    }

    @Test
    void oneLoadServesFiveMinutesAndTheNextIsInTheBackground() {
        host = serving("first");
        assertEquals("first", kid());
        later(295);
        assertEquals("first", kid());
        assertEquals(1, loads);

        later(7);
        host = new CompletableFuture<>();
        assertEquals("first", kid());
        assertEquals("first", kid());
        assertEquals(2, loads);
        host.complete(serving("second").join());
        assertEquals("second", kid());
    }

    @Test
    void failureWhileTheClockWasAheadHoldsForTenSecondsOnly() {
        Time.setOffset(7200);
        assertNull(kid());
        Time.setOffset(0);
        later(11);
        host = serving("back");
        assertEquals("back", kid());
    }

    @Test
    void keyKnownBeforeGoesOnServingForADayWhileTheHostIsDown() {
        host = serving("known");
        kid();
        host = down();

        later(24 * 3600 - 2);
        assertEquals("known", kid());
        later(4);
        assertNull(kid());
    }

    @Test
    void hostThatIsDownIsAskedOnceInTenSeconds() {
        for (int call = 0; call < 20; call++) {
            assertNull(kid());
        }
        assertEquals(1, loads);
        later(11);
        kid();
        assertEquals(2, loads);
    }

    @Test
    void newKeyIsFoundAfterTenSecondsWhereNoneFitted() {
        host = CompletableFuture.completedFuture(FetchedJwks.immediate("{\"keys\":[]}"));
        assertNull(kid());
        host = serving("fitting");

        later(8);
        assertNull(kid());
        later(4);
        assertEquals("fitting", kid());
    }

    @Test
    void keyThatTheHostHasWithdrawnDoesNotServeWhenItFailsLater() {
        host = serving("withdrawn");
        kid();
        host = CompletableFuture.completedFuture(FetchedJwks.immediate("{\"keys\":[]}"));
        later(302);
        assertNull(kid());
        host = down();
        later(12);

        assertNull(kid());
    }

    @Test
    void savingTheClientForgetsTheKey() {
        host = serving("withdrawn");
        kid();
        host = down();

        jwks = saved(2);

        assertNull(kid());
        assertEquals(2, loads);
    }

    @Test
    void callGetsTheKeyThoughParallelCallsReadTheSavedClientAnewAndAnew() {
        Supplier<Optional<PendingJwksLoad>> load = () -> {
            CompletableFuture<FetchedJwks> slow = new CompletableFuture<>();
            Optional<PendingJwksLoad> own = known.load(saved(++loads), url -> Optional.of(slow));
            if (loads < 5) {
                known.load(saved(loads + 1), url -> Optional.of(slow));
            }
            slow.complete(serving("new").join());
            return own;
        };

        assertEquals(
                Optional.of("new"),
                known.await(load, new Semaphore(1)).map(found -> found.key().getKid()));
        assertEquals(5, loads);
    }

    @Test
    void callThatReadTheClientBeforeItWasSavedStartsTheLoadThatANewerOneMadeVoid() {
        CompletableFuture<FetchedJwks> old = new CompletableFuture<>();
        known.load(saved(1), url -> Optional.of(old));
        known.load(saved(2), url -> Optional.of(old));
        old.complete(serving("old").join());

        host = serving("new");
        jwks = saved(1);
        assertEquals("new", kid());
    }

    @Test
    void stateThatWasNeverCachedIsForgottenAfterAMinute() {
        jwks = at(2, "https://dp.example.org/before");
        host = serving("old");
        assertEquals("old", kid());

        jwks = at(1, "https://dp.example.org/after");
        host = serving("new");
        assertEquals("old", kid());
        later(61);
        assertEquals("new", kid());
    }

    @Test
    void savedClientIsReadThoughTheClockWasPutBack() {
        host = serving("old");
        assertEquals("old", kid());

        Time.setOffset(-3600);
        jwks = saved(-3_599_000);
        host = serving("new");
        assertEquals("new", kid());
    }

    /** Another client with the same address can have started the load before this one was saved. */
    @Test
    void loadThatIsOlderThanTheSavedClientIsRepeated() {
        kid();
        jwks = saved(2);
        host = serving("withdrawn", Duration.ofHours(1));
        assertNull(kid());
        host = serving("new");
        assertEquals("new", kid());
    }

    @Test
    void callDoesNotWaitForeverIfTheClientIsSavedAgainAndAgain() {
        Supplier<Optional<PendingJwksLoad>> load = () -> {
            CompletableFuture<FetchedJwks> slow = new CompletableFuture<>();
            Optional<PendingJwksLoad> own = known.load(saved(++loads), url -> Optional.of(slow));
            known.load(saved(loads + 1), url -> Optional.of(slow));
            slow.complete(serving("new").join());
            return own;
        };

        assertEquals(Optional.empty(), known.await(load, new Semaphore(1)));
    }

    @Test
    void hostThatHangsIsSlowUntilTheClientNamesAnotherAddress() {
        host = down(Duration.ofMillis(1100));
        kid();
        assertTrue(known.isSlow());

        jwks = saved(2);
        host = new CompletableFuture<>();
        kid();
        assertTrue(known.isSlow());

        jwks = at(3, "https://dp.example.org/other");
        kid();
        assertFalse(known.isSlow());
    }

    @Test
    void hostThatFailsAtOnceIsNotSlowHoweverLongItsLoadWasQueued() throws InterruptedException {
        host = new CompletableFuture<>();
        kid();
        Thread.sleep(1100);
        host.complete(down(Duration.ofMillis(900)).join());
        assertFalse(known.isSlow());
    }

    @Test
    void loadThatBeganBeforeTheClientWasSavedChangesNothing() {
        CompletableFuture<FetchedJwks> old = new CompletableFuture<>();
        host = old;
        kid();
        jwks = saved(2);
        host = serving("new");
        assertNull(kid());

        old.complete(serving("old").join());

        assertEquals("new", kid());
    }

    @Test
    void requestThatHasReadTheClientBeforeItWasSavedGetsTheNewKeyAndChangesNothing() {
        ClientJwks before = jwks;
        jwks = saved(2);
        host = serving("new");
        assertEquals("new", kid());

        jwks = before;
        assertEquals("new", kid());
        assertEquals(1, loads);
    }

    @Test
    void inlineSetIsReadOnce() {
        jwks = new ClientJwks("dp-unit", 1, null, serving("inline").join().json());
        assertEquals("inline", kid());
        later(30 * 24 * 3600);
        assertEquals("inline", kid());
        assertEquals(0, loads);
    }

    /** Without Keycloak's realm cache, nothing says when a client was saved. */
    @Test
    void inlineSetThatChangedIsReadAnew() {
        jwks = new ClientJwks("dp-unit", 0, null, serving("inline").join().json());
        assertEquals("inline", kid());
        jwks = new ClientJwks("dp-unit", 0, null, serving("other").join().json());
        assertEquals("other", kid());
    }

    /** 5,000 sets of 64 KB would be 320 MB. */
    @Test
    void textOfAnInlineSetIsNotKept() throws InterruptedException {
        String text = serving("inline").join().json();
        WeakReference<String> kept = new WeakReference<>(text);
        jwks = new ClientJwks("dp-unit", 1, null, text);
        assertEquals("inline", kid());
        assertEquals("inline", kid());
        jwks = null;
        text = null;

        for (int i = 0; i < 50 && kept.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertNull(kept.get());
    }

    @Test
    void addressWithCredentialsIsNotAsked() {
        jwks = new ClientJwks("dp-unit", 1, "https://user:word@dp.example.org/jwks", null);
        assertNull(kid());
        assertEquals(0, loads);
        assertEquals(
                Optional.of("the JWKS URL holds a user name or a password"),
                known.status().failure());
    }

    @Test
    void relativeAddressIsNotAsked() {
        jwks = new ClientJwks("dp-unit", 1, "/jwks", null);
        assertNull(kid());
        assertEquals(0, loads);
    }

    @Test
    void failureIsToldUntilAKeyIsThere() {
        kid();
        assertEquals(Optional.of("down"), known.status().failure());
        assertFalse(known.status().loading());
        later(11);
        host = new CompletableFuture<>();
        kid();
        assertTrue(known.status().loading());
        host.complete(serving("late").join());
        assertEquals(Optional.empty(), known.status().failure());
    }

    /** @param time milliseconds since the test began */
    private ClientJwks saved(long time) {
        return at(time, "https://dp.example.org/jwks");
    }

    private ClientJwks at(long time, String url) {
        return new ClientJwks("dp-unit", start + time, url, null);
    }

    /** @return the kid, or null if there is no key */
    private String kid() {
        known.load(jwks, url -> {
            loads++;
            return Optional.of(host);
        });
        return known.status().key().map(KeyWrapper::getKid).orElse(null);
    }

    private static CompletableFuture<FetchedJwks> serving(String kid) {
        return serving(kid, Duration.ZERO);
    }

    private static CompletableFuture<FetchedJwks> serving(String kid, Duration time) {
        try {
            ECKey key = new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
            return CompletableFuture.completedFuture(
                    new FetchedJwks(new JWKSet(key.toPublicJWK()).toString(), null, time));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<FetchedJwks> down() {
        return down(Duration.ZERO);
    }

    private static CompletableFuture<FetchedJwks> down(Duration time) {
        return CompletableFuture.completedFuture(new FetchedJwks(null, "down", time));
    }

    private void later(int seconds) {
        nanoTime += TimeUnit.SECONDS.toNanos(seconds);
    }
}
