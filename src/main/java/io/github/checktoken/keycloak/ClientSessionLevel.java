package io.github.checktoken.keycloak;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.services.managers.AuthenticationManager;

/**
 * Stores with a client session the levels of the logins that its tokens come from, and when the last of them was. All
 * logins of a client in a session share the client session, so each token has a note of its own, whose name has the
 * token's id. If Keycloak restarts the session for another person, it clears the session's notes.
 */
public final class ClientSessionLevel {

    /** The most tokens. Each response of the token endpoint adds an access token and a refresh token. */
    static final int MAX_TOKENS = 32;

    private static final String TOKEN = "checktoken.level.token.";
    private static final String LOWEST = "checktoken.level.lowest";

    private static final String AUTH_TIME = "checktoken.auth.time";

    /** Stored for a login that has no known level. */
    private static final int UNKNOWN = -1;

    private ClientSessionLevel() {}

    /**
     * @param tokenId of an access token or of a refresh token
     * @return the level of the token's login, negative if it has no known level; empty if the token is not known
     */
    public static Optional<Integer> ofToken(AuthenticatedClientSessionModel clientSession, String tokenId) {
        return Optional.ofNullable(clientSession.getNote(TOKEN + tokenId))
                .map(note -> Integer.valueOf(note.split(" ")[0]));
    }

    /**
     * The lowest level of all logins, which is that of no token more than its own.
     *
     * @return negative if a login has no known level; empty if no login was recorded
     */
    public static Optional<Integer> lowest(AuthenticatedClientSessionModel clientSession) {
        return Optional.ofNullable(clientSession.getNote(LOWEST)).map(Integer::valueOf);
    }

    /**
     * When the user had signed in for the last login of this client. The user session has one time for all clients.
     *
     * @return in seconds since the epoch; empty if no login was recorded, such as one of an earlier version
     */
    public static Optional<Long> authTime(AuthenticatedClientSessionModel clientSession) {
        return Optional.ofNullable(clientSession.getNote(AUTH_TIME)).map(Long::valueOf);
    }

    /** @param level of a login that has just ended; null if it is not known */
    public static void record(AuthenticatedClientSessionModel clientSession, Integer level) {
        String authTime = clientSession.getUserSession().getNote(AuthenticationManager.AUTH_TIME);
        if (authTime != null) {
            clientSession.setNote(AUTH_TIME, authTime);
        }
        lower(clientSession, level == null ? UNKNOWN : level);
    }

    /** Adds the logins to those of the offline session of the same person. */
    public static void copy(AuthenticatedClientSessionModel online, AuthenticatedClientSessionModel offline) {
        lowest(online).ifPresent(level -> lower(offline, level));
        authTime(online).ifPresent(time -> offline.setNote(AUTH_TIME, String.valueOf(time)));
    }

    private static void lower(AuthenticatedClientSessionModel clientSession, int level) {
        Optional<Integer> before = lowest(clientSession);
        if (before.isEmpty() || before.get() > level || clientSession.getNote(LOWEST) == null) {
            clientSession.setNote(LOWEST, String.valueOf(Math.min(level, before.orElse(level))));
        }
    }

    /**
     * Records from which login tokens come. Does nothing if no login was recorded. The latest tokens are kept.
     *
     * @param level of that login; null if it has no known level
     * @param tokenIds null for each token that was not issued
     */
    public static void bind(AuthenticatedClientSessionModel clientSession, Integer level, String... tokenIds) {
        if (lowest(clientSession).isEmpty()) {
            return;
        }
        String note = (level == null ? UNKNOWN : level) + " " + Time.currentTimeMillis();
        Stream.of(tokenIds).filter(Objects::nonNull).forEach(id -> clientSession.setNote(TOKEN + id, note));
        clientSession.getNotes().entrySet().stream()
                .filter(other -> other.getKey().startsWith(TOKEN))
                .sorted(Comparator.comparing(other -> other.getValue().split(" ")[1], Comparator.reverseOrder()))
                .skip(MAX_TOKENS)
                .toList()
                .forEach(oldest -> clientSession.removeNote(oldest.getKey()));
    }
}
