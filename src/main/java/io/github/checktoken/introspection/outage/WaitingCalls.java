package io.github.checktoken.introspection.outage;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how many calls of this node wait for a user store that does not answer, so that it leaves threads to logins and
 * to other realms. Any number may ask as long as none of a realm's stores has failed in the last ten seconds, and no
 * call takes longer than 100 milliseconds. If some do, any number may ask as long as such long calls get an answer every
 * 100 milliseconds. A quick answer shows nothing: it may be about a person who is cached. Keycloak has at least 50 threads
 * for requests, unless {@code http-pool-max-threads} says less.
 */
final class WaitingCalls {

    static final int OF_A_REALM = 12;
    static final int OF_ALL_REALMS = 24;

    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long AFTER_A_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier nanoTime;

    /** The oldest call of each realm is the first. */
    private final Map<String, Set<Call>> calls = new HashMap<>();

    private final Map<String, Long> lastFailures = new HashMap<>();
    private final Map<String, Long> lastLongAnswers = new HashMap<>();

    /** How a call has ended, as far as the stores are concerned. */
    enum End {
        ANSWER,
        FAILURE,
        /** Something else has failed, which says nothing about the stores. */
        UNKNOWN
    }

    /** A call that asks the user stores of a realm. */
    static final class Call {

        private final String realm;
        private final long begin;

        private Call(String realm, long begin) {
            this.realm = realm;
            this.begin = begin;
        }
    }

    /** @param nanoTime {@link System#nanoTime} */
    WaitingCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return what to give to {@link #end}; empty if this call may not ask */
    synchronized Optional<Call> begin(String realm) {
        long now = nanoTime.getAsLong();
        if (isInTrouble(realm, now) && isFull(realm, now) && !isWithin(LONG_NANOS, lastLongAnswers.get(realm), now)) {
            return Optional.empty();
        }
        Call call = new Call(realm, now);
        calls.computeIfAbsent(realm, key -> new LinkedHashSet<>()).add(call);
        return Optional.of(call);
    }

    /** Calls about realms whose stores answer do not count. */
    private boolean isFull(String realm, long now) {
        return callsOf(realm).size() >= OF_A_REALM
                || calls.keySet().stream()
                                .filter(each -> isInTrouble(each, now))
                                .mapToInt(each -> callsOf(each).size())
                                .sum()
                        >= OF_ALL_REALMS;
    }

    private boolean isInTrouble(String realm, long now) {
        return isWithin(AFTER_A_FAILURE_NANOS, lastFailures.get(realm), now)
                || callsOf(realm).stream()
                        .findFirst()
                        .filter(oldest -> isLong(oldest, now))
                        .isPresent();
    }

    private Set<Call> callsOf(String realm) {
        return calls.getOrDefault(realm, Set.of());
    }

    private static boolean isLong(Call call, long now) {
        return !isWithin(LONG_NANOS, call.begin, now);
    }

    private static boolean isWithin(long nanos, Long time, long now) {
        return time != null && now - time <= nanos;
    }

    synchronized void end(Call call, End end) {
        long now = nanoTime.getAsLong();
        callsOf(call.realm).remove(call);
        if (end == End.FAILURE) {
            lastFailures.put(call.realm, now);
        } else if (end == End.ANSWER && isLong(call, now)) {
            lastLongAnswers.put(call.realm, now);
        }
    }
}
