package io.github.checktoken.introspection.outage;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how many calls of this node wait for a user store that does not answer, so that it leaves threads to logins and
 * to other realms. As long as calls of a realm get answers from its stores, any number may ask. Keycloak has at least 50
 * threads for requests, unless {@code http-pool-max-threads} says less.
 */
final class WaitingCalls {

    static final int OF_A_REALM = 12;
    static final int OF_ALL_REALMS = 24;

    /** A store that has answered nothing for longer than this may hang. */
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier nanoTime;
    private final Map<String, Asking> byRealm = new HashMap<>();
    private int all;

    /** The calls of one realm that are asking now. */
    private static final class Asking {
        private int calls;
        private long lastAnswer;
    }

    /** @param nanoTime {@link System#nanoTime} */
    WaitingCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return whether this call may ask; then {@link #end} must follow */
    synchronized boolean begin(String realm) {
        Asking asking = byRealm.computeIfAbsent(realm, key -> {
            Asking first = new Asking();
            first.lastAnswer = nanoTime.getAsLong();
            return first;
        });
        boolean full = asking.calls >= OF_A_REALM || all >= OF_ALL_REALMS;
        if (full && nanoTime.getAsLong() - asking.lastAnswer > SILENCE_NANOS) {
            return false;
        }
        asking.calls++;
        all++;
        return true;
    }

    /** @param answered whether the stores have answered */
    synchronized void end(String realm, boolean answered) {
        Asking asking = byRealm.get(realm);
        if (answered) {
            asking.lastAnswer = nanoTime.getAsLong();
        }
        all--;
        if (--asking.calls == 0) {
            byRealm.remove(realm);
        }
    }
}
