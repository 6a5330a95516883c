package io.github.checktoken.introspection.keys;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.introspection.keys.EncryptionKeyCache.KeyId;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider.KnownDataProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests when a JWK Set is loaded again, and which key is used meanwhile. The tests move the time forward. */
class EncryptionKeyCacheTest {

    private static final KeyId KEY = new KeyId(new KnownDataProvider("realm", "client"), "ECDH-ES");

    private long nanoTime = System.nanoTime();

    /** A parallel call, which runs while the next one looks at the time. */
    private Runnable parallelCall = () -> {};

    private final EncryptionKeyCache cache = new EncryptionKeyCache(() -> {
        Runnable call = parallelCall;
        parallelCall = () -> {};
        call.run();
        return nanoTime;
    });
    private ClientJwks jwks = at("https://dp.example.org/jwks");
    private CompletableFuture<FetchedJwks> host = down();
    private int loads;

    /** Whether the last load was said to be from a slow host. */
    private boolean slow;

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
    void timesOfTheKeyAreKnown() {
        host = new CompletableFuture<>();
        assertEquals(Optional.empty(), status().lastLoad());
        assertEquals(Optional.empty(), status().knownSince());
        later(1);
        host.complete(serving("first").join());
        later(100);
        assertAgo(100, status().lastLoad().orElseThrow());
        assertAgo(100, status().knownSince().orElseThrow());
        assertAgo(-200, status().nextLoad());
    }

    @Test
    void keyIsKnownSinceItsFirstLoadUntilThereIsAnother() {
        host = serving("first");
        kid();
        later(301);
        kid();
        later(10);
        assertAgo(10, status().lastLoad().orElseThrow());
        assertAgo(311, status().knownSince().orElseThrow());

        later(301);
        host = serving("second");
        kid();
        later(20);
        assertEquals("second", kid());
        assertAgo(20, status().knownSince().orElseThrow());
    }

    @Test
    void failedLoadIsTheLastAndTheKeyStaysAsOldAsItIs() {
        host = serving("first");
        kid();
        later(301);
        host = down();
        kid();
        later(2);
        assertAgo(2, status().lastLoad().orElseThrow());
        assertAgo(303, status().knownSince().orElseThrow());
        assertAgo(-8, status().nextLoad());
        assertEquals(Optional.of("down"), status().failure());
    }

    @Test
    void timeWhenTheKeyWasMadeIsKept() {
        host = serving("first")
                .thenApply(set -> FetchedJwks.immediate(set.json().replace("{\"kty\"", "{\"iat\":5,\"kty\"")));
        kid();
        assertEquals(Optional.of(Instant.ofEpochSecond(5)), status().issued());
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
    void parallelCallsStartOneLoad() {
        kid();
        later(11);
        parallelCall = this::kid;
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
    void withdrawnKeyIsForgotten() {
        host = serving("withdrawn");
        kid();
        host = down();

        withdraw();

        assertNull(kid());
        assertEquals(2, loads);
    }

    @Test
    void keysOfOtherClientsStay() {
        host = serving("known");
        kid();
        host = down();

        cache.withdraw("other");

        assertEquals("known", kid());
    }

    @Test
    void eachCallGetsAKeyThoughItIsWithdrawnAgainAndAgain() {
        CompletableFuture<FetchedJwks> slowHost = new CompletableFuture<>();
        host = slowHost;
        List<CachedEncryptionKey> calls = IntStream.range(1, 20)
                .mapToObj(time -> {
                    withdraw();
                    return find(jwks);
                })
                .toList();

        host = serving("new");
        slowHost.complete(serving("new").join());

        calls.forEach(call -> assertEquals(
                "new",
                kid(call.orWait(nanoTime, load -> load.await(new Semaphore(0)))).orElse(null)));
    }

    @Test
    void callGetsAKeyThoughItIsWithdrawnBeforeItsLoadBegins() {
        host = serving("key");
        // Not within the first look at the time, when the entry is made, but within the second.
        parallelCall = () -> parallelCall = this::withdraw;
        CachedEncryptionKey call = find(jwks);

        assertEquals(1, loads);
        assertEquals(
                "key",
                kid(call.orWait(nanoTime, load -> load.await(new Semaphore(0)))).orElse(null));
    }

    @Test
    void callThatReadTheClientBeforeItsAddressChangedChangesNothingForOthers() {
        ClientJwks before = jwks;
        jwks = at("https://dp.example.org/after");
        host = serving("new");
        assertEquals("new", kid());

        host = down();
        find(before);

        assertEquals("new", kid());
    }

    /** Another client with the same address can have started the load before. */
    @Test
    void setThatWasFetchedBeforeTheKeyWasWithdrawnIsFetchedAgain() {
        CompletableFuture<FetchedJwks> withdrawn = serving("withdrawn");
        CompletableFuture<FetchedJwks> next = serving("new");
        CachedEncryptionKey found = cache.find(
                KEY,
                jwks,
                (url, hostIsSlow) ->
                        Optional.of(loads++ == 0 ? startedAt(nanoTime - 1, withdrawn) : startedAt(nanoTime, next)));

        assertEquals(Optional.of("new"), kid(found.orWait(nanoTime, load -> load.awaitUntil(System.nanoTime()))));
        assertEquals("new", kid());
        assertEquals(2, loads);
    }

    @Test
    void setIsRenewedWithWhatWasFetchedForAnotherClient() {
        host = serving("first");
        kid();
        later(301);
        host = serving("second");
        cache.find(KEY, jwks, (url, hostIsSlow) -> Optional.of(startedAt(nanoTime - 1, host)));
        assertEquals("second", kid());
        assertEquals(1, loads);
    }

    @Test
    void hostThatHangsIsSlowUntilTheClientNamesAnotherAddress() {
        host = down(Duration.ofMillis(1100));
        kid();
        assertFalse(slow);

        withdraw();
        host = new CompletableFuture<>();
        kid();
        assertTrue(slow);

        jwks = at("https://dp.example.org/other");
        kid();
        assertFalse(slow);
    }

    @Test
    void callerDoesNotWaitForAHostThatHangs() {
        host = down(Duration.ofMillis(1100));
        kid();
        withdraw();
        host = new CompletableFuture<>();
        long asked = System.nanoTime();

        find(jwks).load().await(new Semaphore(1));

        assertTrue(System.nanoTime() - asked < TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void hostThatFailsAtOnceIsNotSlowHoweverLongItsLoadWasQueued() {
        host = new CompletableFuture<>();
        kid();
        later(2);
        host.complete(down(Duration.ofMillis(900)).join());
        later(11);
        kid();
        assertEquals(2, loads);
        assertFalse(slow);
    }

    @Test
    void loadThatIsRefusedBecauseThereAreTooManyIsTriedAgainByTheNextCall() {
        CachedEncryptionKey refused = cache.find(KEY, jwks, (url, hostIsSlow) -> Optional.empty());
        assertEquals(Optional.empty(), kid(refused));

        host = serving("new");
        assertEquals("new", kid());
    }

    @Test
    void loadThatBeganBeforeTheKeyWasWithdrawnChangesNothing() {
        CompletableFuture<FetchedJwks> old = new CompletableFuture<>();
        host = old;
        kid();
        withdraw();
        host = serving("new");
        assertEquals("new", kid());

        old.complete(serving("old").join());

        assertEquals("new", kid());
    }

    @Test
    void keysOfEarlierAddressesAreWithdrawnToo() {
        ClientJwks first = jwks;
        host = serving("withdrawn");
        assertEquals("withdrawn", kid());
        withdraw();
        jwks = at("https://dp.example.org/second");
        assertEquals("withdrawn", kid());
        withdraw();

        jwks = first;
        host = serving("new");
        assertEquals("new", kid());
    }

    @Test
    void inlineSetServesForEverAndIsNeverFetched() {
        jwks = new ClientJwks("dp-unit", null, serving("inline").join().json());
        assertEquals("inline", kid());
        for (int hour = 0; hour < 50; hour++) {
            later(3600);
            CachedEncryptionKey found = find(jwks);
            assertEquals(Optional.of("inline"), kid(found));
        }
        later(30 * 24 * 3600);
        assertEquals("inline", kid());
        assertEquals(0, loads);
    }

    @Test
    void inlineSetThatChangedIsReadAnew() {
        jwks = new ClientJwks("dp-unit", null, serving("inline").join().json());
        assertEquals("inline", kid());
        jwks = new ClientJwks("dp-unit", null, serving("other").join().json());
        assertEquals("other", kid());
    }

    /** 5,000 sets of 64 KB would be 320 MB. */
    @Test
    void textOfAnInlineSetIsNotKept() throws InterruptedException {
        String text = serving("inline").join().json();
        WeakReference<String> kept = new WeakReference<>(text);
        jwks = new ClientJwks("dp-unit", null, text);
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
        jwks = new ClientJwks("dp-unit", "https://user:word@dp.example.org/jwks", null);
        assertNull(kid());
        assertEquals(0, loads);
        assertEquals(Optional.of("the JWKS URL holds a user name or a password"), status().failure());
    }

    @Test
    void relativeAddressIsNotAsked() {
        jwks = new ClientJwks("dp-unit", "/jwks", null);
        assertNull(kid());
        assertEquals(0, loads);
    }

    @Test
    void failureIsToldUntilAKeyIsThere() {
        kid();
        assertEquals(Optional.of("down"), status().failure());
        assertFalse(status().loading());
        later(11);
        host = new CompletableFuture<>();
        kid();
        assertTrue(status().loading());
        host.complete(serving("late").join());
        assertEquals(Optional.empty(), status().failure());
    }

    @Test
    void failureIsLoggedOnceHoweverOftenTheClientIsSaved() {
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger(EncryptionKeyCache.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            for (int save = 0; save < 4; save++) {
                withdraw();
                kid();
            }
            assertEquals(List.of("The JWKS of data provider 'dp-unit' gives no encryption key: down"), lines);

            lines.clear();
            later(11);
            host = serving("back");
            kid();
            withdraw();
            kid();
            assertEquals(
                    List.of("The JWKS of data provider 'dp-unit' gives an encryption key again, after 4 loads without"
                            + " one"),
                    lines);
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void keyThatNoLoadHasRenewedForAnHourIsTold() {
        host = serving("known");
        kid();
        host = down();
        later(301);
        kid();
        later(3590);
        kid();
        assertEquals(Optional.empty(), failureForAnHour());
        later(11);
        kid();
        assertEquals(Optional.of("down"), failureForAnHour());

        later(11);
        host = serving("back");
        kid();
        assertEquals(Optional.empty(), failureForAnHour());
        later(301);
        host = down();
        kid();
        assertEquals(Optional.empty(), failureForAnHour());
    }

    @Test
    void setThatHasNoKeyThatFitsForAnHourIsTold() {
        host = CompletableFuture.completedFuture(FetchedJwks.immediate("{\"keys\":[]}"));
        kid();
        later(3600);
        kid();
        assertEquals(Optional.of("no key in the set fits (there is none)"), failureForAnHour());
    }

    /** Perhaps the host works again. */
    @Test
    void hostThatWasNotAskedSinceItsOnlyFailureIsNotTold() {
        kid();
        later(7200);
        assertEquals(Optional.empty(), failureForAnHour());
    }

    @Test
    void failureIsNotToldAfterADayWithoutALoad() {
        kid();
        later(3600);
        kid();
        later(24 * 3600 - 1);
        assertEquals(Optional.of("down"), failureForAnHour());
        later(1);
        assertEquals(Optional.empty(), failureForAnHour());
    }

    @Test
    void failureGoesOnIfTheClientIsSavedWithTheSameAddressOnly() {
        kid();
        later(3600);
        withdraw();
        kid();
        assertEquals(Optional.of("down"), failureForAnHour());

        jwks = at("https://dp.example.org/other");
        assertEquals(Optional.empty(), failureForAnHour());
        kid();
        assertEquals(Optional.empty(), failureForAnHour());
    }

    @Test
    void keysThatWereLookedForAreKnown() {
        assertEquals(Set.of(), cache.known());
        kid();
        withdraw();
        kid();
        assertEquals(Set.of(KEY.client()), cache.known());
    }

    private Optional<String> failureForAnHour() {
        return cache.failureFor(Duration.ofHours(1), KEY, jwks.url());
    }

    private static ClientJwks at(String url) {
        return new ClientJwks("dp-unit", url, null);
    }

    private void withdraw() {
        cache.withdraw("client");
    }

    private CachedEncryptionKey find(ClientJwks read) {
        return cache.find(KEY, read, (url, hostIsSlow) -> {
            loads++;
            slow = hostIsSlow;
            return Optional.of(startedAt(nanoTime, host));
        });
    }

    /** @return the state after a call, which may have started a load */
    private EncryptionKeyStatus status() {
        find(jwks);
        return find(jwks).status(nanoTime);
    }

    private static void assertAgo(int seconds, Instant time) {
        long difference = Time.currentTime() - time.getEpochSecond() - seconds;
        assertTrue(Math.abs(difference) <= 1, () -> "off by " + difference);
    }

    /** @return the kid after a call, which may have started a load; null if there is no key */
    private String kid() {
        return status().key().map(KeyWrapper::getKid).orElse(null);
    }

    private Optional<String> kid(CachedEncryptionKey found) {
        return found.usable(nanoTime).map(encrypter -> encrypter.key().getKid());
    }

    private static CompletableFuture<FetchedJwks> startedAt(long start, CompletableFuture<FetchedJwks> host) {
        return host.thenApply(set -> new FetchedJwks(set.json(), set.failure(), start, set.time()));
    }

    private static CompletableFuture<FetchedJwks> serving(String kid) {
        try {
            ECKey key = new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
            return CompletableFuture.completedFuture(FetchedJwks.immediate(new JWKSet(key.toPublicJWK()).toString()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<FetchedJwks> down() {
        return down(Duration.ZERO);
    }

    private static CompletableFuture<FetchedJwks> down(Duration time) {
        return CompletableFuture.completedFuture(new FetchedJwks(null, "down", 0, time));
    }

    private void later(int seconds) {
        nanoTime += TimeUnit.SECONDS.toNanos(seconds);
    }
}
