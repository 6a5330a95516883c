package io.github.checktoken.keys;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyWrapper;

import org.jboss.logging.Logger;

/**
 * What this node knows of one data provider's key for one algorithm: the key, how long it serves, and when its JWKS is
 * loaded again. An inline set is read once. Saving the client forgets the key.
 */
final class CachedEncryptionKey {

    /** A key is loaded again at the first call after this time. */
    static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

    /** Without success it serves on for this long, and so it does when nobody has called. */
    static final Duration MAX_AGE = Duration.ofDays(1);

    /** Between two loads when the first one gave no key. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    /** A host that takes longer to give no key has hung, or may as well have. */
    private static final Duration SLOW_FAILURE = Duration.ofSeconds(1);

    private static final Logger logger = Logger.getLogger(CachedEncryptionKey.class);

    private final String algorithm;
    private long saved;
    private String version;
    private KeyWrapper key;
    /** Milliseconds since the epoch: until when the key serves. */
    private long expiry;

    /** The same: from when the set may be loaded again. */
    private long due;

    private String failure;
    private int failures;
    private boolean slow;
    private Optional<String> url = Optional.empty();
    private JwksLoad load;

    /** @param algorithm JWE {@code alg} */
    CachedEncryptionKey(String algorithm) {
        this.algorithm = algorithm;
    }

    synchronized Optional<KeyWrapper> key() {
        return Optional.ofNullable(key).filter(known -> Time.currentTimeMillis() < expiry);
    }

    synchronized EncryptionKeyStatus state() {
        return new EncryptionKeyStatus(key(), Optional.ofNullable(failure), load != null && load.isUnderWay());
    }

    /** Whether the host was slow to fail the last time. */
    synchronized boolean isSlow() {
        return slow;
    }

    /**
     * Begins to load the set if that is due. Another load does not begin before the last one has ended, so that saving the
     * client again and again takes one place and no more.
     *
     * @param address begins to load a set that is not inline; empty when it has to wait for others
     * @return the load that is under way; empty when there is none
     */
    synchronized Optional<JwksLoad> load(ClientJwks jwks, Supplier<Optional<CompletableFuture<FetchedJwks>>> address) {
        // A request that has read the client before it was saved last uses what is known since.
        if (jwks.saved() >= saved && !jwks.version().equals(version)) {
            saved = jwks.saved();
            version = jwks.version();
            key = null;
            due = 0;
            // A host that hangs does so whoever saves the client.
            slow &= jwks.url().equals(url);
            url = jwks.url();
        }
        if (load != null && load.isUnderWay()) {
            return Optional.of(load);
        }
        load = null;
        if (jwks.version().equals(version) && Time.currentTimeMillis() >= due) {
            begin(jwks, address);
        }
        return Optional.ofNullable(load);
    }

    private void begin(ClientJwks jwks, Supplier<Optional<CompletableFuture<FetchedJwks>>> address) {
        String problem = jwks.problem().orElse(null);
        Optional<CompletableFuture<FetchedJwks>> set = problem != null
                ? Optional.of(CompletableFuture.completedFuture(FetchedJwks.refused(problem)))
                : jwks.inline()
                        .map(FetchedJwks::immediate)
                        .map(CompletableFuture::completedFuture)
                        .or(address);
        set.ifPresent(fetch -> {
            due = Time.currentTimeMillis() + RETRY_INTERVAL.toMillis();
            CompletableFuture<Void> end = new CompletableFuture<>();
            load = new JwksLoad(end, !slow);
            String loaded = version;
            fetch.thenAccept(fetched -> {
                try {
                    ended(loaded, jwks, find(fetched), fetched.time());
                } finally {
                    end.complete(null);
                }
            });
        });
    }

    /**
     * What a load has given.
     *
     * @param failure null when there is a key
     * @param failed whether the set could not be had, and not merely held no key
     */
    private record Found(KeyWrapper key, String failure, boolean failed) {}

    private Found find(FetchedJwks fetched) {
        if (fetched.failure() != null) {
            return new Found(null, fetched.failure(), true);
        }
        try {
            return EncryptionKeySelector.find(fetched.json(), algorithm)
                    .map(key -> new Found(key, null, false))
                    .orElseGet(() -> new Found(null, "no key in it fits", false));
        } catch (IOException e) {
            return new Found(null, e.getMessage(), true);
        } catch (RuntimeException e) {
            return new Found(null, e.getClass().getSimpleName(), true);
        }
    }

    private synchronized void ended(String loaded, ClientJwks jwks, Found found, Duration time) {
        if (!loaded.equals(version)) {
            return; // The client has been saved meanwhile.
        }
        boolean inline = jwks.inline().isPresent();
        long now = Time.currentTimeMillis();
        if (!found.failed()) {
            key = found.key();
            expiry = inline ? Long.MAX_VALUE : now + MAX_AGE.toMillis();
        }
        due = inline ? Long.MAX_VALUE : now + (found.failure() == null ? REFRESH_INTERVAL : RETRY_INTERVAL).toMillis();
        slow = found.failure() != null && time.compareTo(SLOW_FAILURE) > 0;
        report(jwks.owner(), found.failure());
        failure = found.failure();
    }

    /** One line when loads begin to fail, and one when they no longer do. */
    private void report(String owner, String now) {
        if (now == null && failures > 0) {
            logger.infof(
                    "The JWKS of data provider '%s' gives a key again, after %d loads that gave none", owner, failures);
            failures = 0;
        } else if (now != null && failures++ == 0) {
            logger.warnf("No encryption key from the JWKS of data provider '%s': %s", owner, now);
        }
    }
}
