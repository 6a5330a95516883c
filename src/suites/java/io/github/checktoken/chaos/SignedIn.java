package io.github.checktoken.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Tokens;

/** A login that succeeded. Times are those of {@link System#nanoTime}. */
final class SignedIn {

    private static final long NOT_YET = Long.MAX_VALUE;

    private final Person person;
    private final Tokens tokens;
    private final JsonNode claims;
    private final long asked;
    private final long received = System.nanoTime();
    private volatile long ending = NOT_YET;
    private volatile long ended = NOT_YET;

    /** @param asked when the tokens were asked for */
    SignedIn(Person person, Tokens tokens, long asked) {
        this.person = person;
        this.tokens = tokens;
        this.claims = tokens.accessClaims();
        this.asked = asked;
    }

    Person person() {
        return person;
    }

    Tokens tokens() {
        return tokens;
    }

    JsonNode claims() {
        return claims;
    }

    long asked() {
        return asked;
    }

    /** Somebody asks for the end of the session. */
    void ending() {
        ending = System.nanoTime();
    }

    /** Keycloak has confirmed the end. */
    void ended() {
        ended = System.nanoTime();
    }

    boolean mustBeInactive(ServerClock clock, long callAsked, long callAnswered) {
        return ended < callAsked
                || clock.earliest(callAsked, callAnswered) > claims.get("exp").asLong() + 1;
    }

    String describe(long now) {
        return "%s, issued %.1f s ago, %s, %s"
                .formatted(
                        person.name(),
                        (now - received) / 1e9,
                        ended == NOT_YET ? "not ended" : "ended %.3f s ago".formatted((now - ended) / 1e9),
                        claims.get("jti").asText());
    }

    /**
     * Whether it cannot have ended, nor have expired or be from the future by a clock that was wrong meanwhile. If the
     * clock was put back during the login, Keycloak finds that the token is older than its session.
     */
    boolean mustBeActive(ServerClock clock, long callAnswered) {
        return ending > callAnswered
                && clock.wasNotSet(asked, received)
                && clock.latest(asked, callAnswered) < claims.get("exp").asLong() - 1
                && clock.earliest(received, callAnswered) >= claims.get("iat").asLong() - 1;
    }
}
