package io.github.checktoken.introspection.keys;

import java.time.Duration;

/**
 * The result of fetching a JWK Set.
 *
 * @param json the set; null if the fetch failed
 * @param failure the reason in English, for an administrator; null if the fetch succeeded
 * @param start {@link System#nanoTime()} when the host was asked
 * @param time how long the host took, without the time in the queue
 */
record FetchedJwks(String json, String failure, long start, Duration time) {

    public static FetchedJwks immediate(String json) {
        return new FetchedJwks(json, null, 0, Duration.ZERO);
    }

    public static FetchedJwks rejected(String problem) {
        return new FetchedJwks(null, problem, 0, Duration.ZERO);
    }
}
