package io.github.checktoken.keys;

import java.time.Duration;

/**
 * What a fetch of a JWK Set gave.
 *
 * @param json null if it failed
 * @param failure in English, for an administrator; null if it succeeded
 * @param time how long the host took, without the time in the queue
 */
record FetchedJwks(String json, String failure, Duration time) {

    static FetchedJwks immediate(String json) {
        return new FetchedJwks(json, null, Duration.ZERO);
    }

    static FetchedJwks refused(String problem) {
        return new FetchedJwks(null, problem, Duration.ZERO);
    }
}
