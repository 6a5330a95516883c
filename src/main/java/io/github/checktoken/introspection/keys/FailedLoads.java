package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The loads that gave no key, one after the other, since the last one that did. Saving the client does not end them.
 * Times are values of {@link System#nanoTime()}.
 *
 * @param count how many
 * @param url of the last one; null for an inline set
 * @param reason why the last one gave no key, in English
 * @param slow whether the last one took long
 * @param since when the first one from this URL ended
 * @param last when the last one ended
 */
record FailedLoads(int count, String url, String reason, boolean slow, long since, long last) {

    static final FailedLoads NONE = new FailedLoads(0, null, null, false, 0, 0);

    FailedLoads and(FailedLoads next) {
        return new FailedLoads(
                count + next.count,
                next.url,
                next.reason,
                next.slow,
                Objects.equals(url, next.url) ? since : next.since,
                next.last);
    }

    boolean isSlow(Optional<String> url) {
        return slow && isFrom(url);
    }

    /**
     * What happened after the last load does not count, because nobody knows what the host would have answered.
     *
     * @return whether no load from this URL has given a key for this time or longer, and the last one ended in the last day
     */
    boolean lasts(Duration time, Optional<String> url, long now) {
        return isFrom(url) && last - since >= time.toNanos() && now - last < KnownKey.MAX_AGE.toNanos();
    }

    private boolean isFrom(Optional<String> url) {
        return url.filter(address -> address.equals(this.url)).isPresent();
    }
}
