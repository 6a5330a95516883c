package io.github.checktoken.introspection.secretguess;

import java.util.Collections;
import java.util.Set;

import io.github.checktoken.telemetry.RecentEntries;

/**
 * The limit for guesses at secrets on one node: its settings, and the locks that the node has seen. If it has seen none for
 * a caller, it does not ask the store that all nodes share. If another node has begun a lock, this node sees it when it
 * gets the next wrong secret.
 */
public final class SecretGuessLimit {

    /** If there are more, the oldest is forgotten, and seen again at the next wrong secret. */
    private static final int MAX_SEEN = 10_000;

    private final SecretGuessLimitConfig config;
    private final Set<String> seen = Collections.newSetFromMap(RecentEntries.atMost(MAX_SEEN));

    public SecretGuessLimit(SecretGuessLimitConfig config) {
        this.config = config;
    }

    SecretGuessLimitConfig config() {
        return config;
    }

    /** Whether there may be a lock. The store says whether it still lasts. */
    boolean hasSeenLock(String who) {
        return seen.contains(who);
    }

    void seeLock(String who) {
        seen.add(who);
    }
}
