package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

import io.github.checktoken.introspection.jose.AnswerEncrypter;
import io.github.checktoken.keycloak.CurrentTime;

/**
 * What this node knows of a data provider's encryption key, for one address or inline set and one algorithm. It never
 * changes: when a load begins or ends, another one takes its place. Times are values of {@link System#nanoTime()},
 * because what a wrong wall clock sets would hold until that time comes.
 *
 * @param since when a call looked for the key for the first time, or for the first time since it was withdrawn
 * @param known null if no key is known
 * @param last null if no load has ended yet
 * @param load the load that is under way; null if there is none
 * @param privateKeys of the last set that could be loaded; null if it had none
 */
record CachedEncryptionKey(long since, KnownKey known, LastLoad last, PendingJwksLoad load, PrivateKeys privateKeys) {

    /** The first call after this time loads the set again. */
    static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

    /** How long after a load without a usable key the next one may start. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    /** Shorter than a key lasts, so that the known one serves during the load. Another text is another set. */
    private static final Duration INLINE_INTERVAL = KnownKey.MAX_AGE.dividedBy(2);

    static CachedEncryptionKey unknown(long now) {
        return new CachedEncryptionKey(now, null, null, null, null);
    }

    /** @return empty if no key is known or it is too old */
    Optional<AnswerEncrypter> usable(long now) {
        return usableKey(now).map(key -> key.selected().encrypter());
    }

    /**
     * @param wait waits for a load, and gives its result if it has ended
     * @return the result of the load that is under way, if no key is known without it
     */
    CachedEncryptionKey orWait(long now, Function<PendingJwksLoad, Optional<CachedEncryptionKey>> wait) {
        return load == null || usable(now).isPresent() ? this : wait.apply(load).orElse(this);
    }

    EncryptionKeyStatus status(long now) {
        Optional<KnownKey> usable = usableKey(now);
        Optional<LastLoad> ended = Optional.ofNullable(last);
        return new EncryptionKeyStatus(
                usable.map(key -> key.selected().key()),
                usable.map(key -> key.selected().issued()),
                usable.map(key -> CurrentTime.in(key.since() - now)),
                ended.map(end -> CurrentTime.in(end.ended() - now)),
                ended.map(end -> CurrentTime.in(end.next() - now)).orElseGet(() -> CurrentTime.in(0)),
                ended.map(LastLoad::failure),
                load != null,
                Optional.ofNullable(privateKeys).map(PrivateKeys::members));
    }

    boolean isDue(long now) {
        return load == null && (last == null || now - last.next() >= 0);
    }

    CachedEncryptionKey loading(PendingJwksLoad started) {
        return new CachedEncryptionKey(since, known, last, started, privateKeys);
    }

    /**
     * A set that cannot be loaded keeps the key that was known (RFC 5861, stale-if-error). A set without a key that fits
     * withdraws it.
     *
     * @param fetched whether the set has an address, so that it can change
     */
    CachedEncryptionKey loaded(LoadedKey result, boolean fetched, long now) {
        Duration pause = result.failure() == null ? REFRESH_INTERVAL : RETRY_INTERVAL;
        LastLoad end = new LastLoad(now, result.failure(), now + (fetched ? pause : INLINE_INTERVAL).toNanos());
        KnownKey key = result.failed() ? known : result.key() == null ? null : KnownKey.of(result.key(), known, now);
        return new CachedEncryptionKey(since, key, end, null, result.failed() ? privateKeys : result.privateKeys());
    }

    private Optional<KnownKey> usableKey(long now) {
        return Optional.ofNullable(known).filter(key -> key.isUsable(now));
    }
}
