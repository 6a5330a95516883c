package io.github.checktoken.introspection.keys;

import java.time.Duration;

/**
 * The key that the last good load gave. Times are values of {@link System#nanoTime()}.
 *
 * @param since when a load gave this key for the first time
 * @param renewed when a load gave it for the last time
 */
record KnownKey(SelectedKey selected, long since, long renewed) {

    /** A key is used for this long after its set was last loaded, if later loads fail or nobody calls. */
    static final Duration MAX_AGE = Duration.ofDays(1);

    /** @param before the key that was known until now, which may be the same; null if there was none */
    static KnownKey of(SelectedKey selected, KnownKey before, long now) {
        boolean same = before != null
                && before.selected.key().getPublicKey().equals(selected.key().getPublicKey());
        return new KnownKey(selected, same ? before.since : now, now);
    }

    boolean isUsable(long now) {
        return now - renewed < MAX_AGE.toNanos();
    }
}
