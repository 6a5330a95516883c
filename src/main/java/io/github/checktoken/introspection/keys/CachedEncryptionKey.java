package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

import io.github.checktoken.introspection.jose.AnswerEncrypter;
import io.github.checktoken.keycloak.CurrentTime;

/**
 * What this node knows of a data provider's encryption key, for one algorithm and one version of the client's JWKS
 * setting. It never changes: when a load begins or ends, another one takes its place. All times are values of
 * {@link System#nanoTime()}, because what a wrong wall clock sets would hold until that time comes.
 *
 * @param since when a call read this version of the client for the first time
 * @param encrypter null if no key is known
 * @param issued when the data provider made the key; null if it does not say
 * @param known when this version of the client had this key for the first time
 * @param expiry until when the key may be used
 * @param due from when the set may be loaded again
 * @param loaded when the last load ended; the value of {@code since} if none has ended yet
 * @param failure why the last load gave no key; null if it gave one, or if none has ended yet
 * @param load the load that is under way; null if there is none
 */
record CachedEncryptionKey(
        long since,
        AnswerEncrypter encrypter,
        Instant issued,
        long known,
        long expiry,
        long due,
        long loaded,
        String failure,
        PendingJwksLoad load) {

    /** The first call after this time loads the set again. */
    static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

    /** A key is used for this long after its set was last loaded, if later loads fail or nobody calls. */
    static final Duration MAX_AGE = Duration.ofDays(1);

    /** How long after a load without a usable key the next one may start. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    /** An inline set is read once: only another version can have another key. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    static CachedEncryptionKey unknown(long now) {
        return new CachedEncryptionKey(now, null, null, now, now, now, now, null, null);
    }

    /** @return empty if no key is known or it has expired */
    Optional<AnswerEncrypter> usable(long now) {
        return Optional.ofNullable(encrypter).filter(known -> now - expiry < 0);
    }

    /**
     * @param wait waits for a load, and gives its result if it has ended
     * @return the result of the load that is under way, if no key is known without it
     */
    CachedEncryptionKey orWait(long now, Function<PendingJwksLoad, Optional<CachedEncryptionKey>> wait) {
        return load == null || usable(now).isPresent() ? this : wait.apply(load).orElse(this);
    }

    EncryptionKeyStatus status(long now) {
        Optional<AnswerEncrypter> usable = usable(now);
        boolean neverLoaded = encrypter == null && failure == null;
        return new EncryptionKeyStatus(
                usable.map(AnswerEncrypter::key),
                usable.map(key -> issued),
                usable.map(key -> CurrentTime.in(known - now)),
                neverLoaded ? Optional.empty() : Optional.of(CurrentTime.in(loaded - now)),
                CurrentTime.in(due - now),
                Optional.ofNullable(failure),
                load != null);
    }

    boolean isDue(long now) {
        return load == null && now - due >= 0;
    }

    CachedEncryptionKey loading(PendingJwksLoad started) {
        return new CachedEncryptionKey(since, encrypter, issued, known, expiry, due, loaded, failure, started);
    }

    /**
     * A set that cannot be loaded keeps the key that was known. A set without a key that fits withdraws it.
     *
     * @param fetched whether the set has an address, so that it can change
     */
    CachedEncryptionKey loaded(LoadedKey result, boolean fetched, long now) {
        Duration next = result.failure() == null ? REFRESH_INTERVAL : RETRY_INTERVAL;
        long nextDue = now + (fetched ? next : FOR_EVER).toNanos();
        return result.failed()
                ? new CachedEncryptionKey(since, encrypter, issued, known, expiry, nextDue, now, result.failure(), null)
                : new CachedEncryptionKey(
                        since,
                        result.encrypter(),
                        result.issued(),
                        isSameKey(result) ? known : now,
                        now + (fetched ? MAX_AGE : FOR_EVER).toNanos(),
                        nextDue,
                        now,
                        result.failure(),
                        null);
    }

    private boolean isSameKey(LoadedKey result) {
        return encrypter != null
                && result.encrypter() != null
                && encrypter
                        .key()
                        .getPublicKey()
                        .equals(result.encrypter().key().getPublicKey());
    }
}
