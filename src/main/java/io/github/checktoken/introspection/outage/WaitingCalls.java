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
    private final Map<String, Realm> realms = new HashMap<>();

    /** How a call has ended, as far as the stores are concerned. */
    enum End {
        ANSWER,
        FAILURE,
        /** Something else has failed, which says nothing about the stores. */
        UNKNOWN
    }

    /** A call that asks the user stores of a realm. */
    static final class Call {

        private final Realm realm;
        private final long begin;

        private Call(Realm realm, long begin) {
            this.realm = realm;
            this.begin = begin;
        }

        private boolean isLong(long now) {
            return !isWithin(LONG_NANOS, begin, now);
        }
    }

    private static final class Realm {

        /** The oldest is the first. */
        private final Set<Call> calls = new LinkedHashSet<>();

        private Long lastFailure;
        private Long lastLongAnswer;

        boolean isInTrouble(long now) {
            return isWithin(AFTER_A_FAILURE_NANOS, lastFailure, now)
                    || calls.stream()
                            .findFirst()
                            .filter(oldest -> oldest.isLong(now))
                            .isPresent();
        }

        boolean answersLongCalls(long now) {
            return isWithin(LONG_NANOS, lastLongAnswer, now);
        }
    }

    /** @param nanoTime {@link System#nanoTime} */
    WaitingCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return what to give to {@link #end}; empty if this call may not ask */
    synchronized Optional<Call> begin(String realmId) {
        long now = nanoTime.getAsLong();
        Realm realm = realms.computeIfAbsent(realmId, id -> new Realm());
        if (realm.isInTrouble(now) && isFull(realm, now) && !realm.answersLongCalls(now)) {
            return Optional.empty();
        }
        Call call = new Call(realm, now);
        realm.calls.add(call);
        return Optional.of(call);
    }

    /** Calls about realms whose stores answer do not count. */
    private boolean isFull(Realm realm, long now) {
        return realm.calls.size() >= OF_A_REALM
                || realms.values().stream()
                                .filter(each -> each.isInTrouble(now))
                                .mapToInt(each -> each.calls.size())
                                .sum()
                        >= OF_ALL_REALMS;
    }

    synchronized void end(Call call, End end) {
        long now = nanoTime.getAsLong();
        call.realm.calls.remove(call);
        if (end == End.FAILURE) {
            call.realm.lastFailure = now;
        } else if (end == End.ANSWER && call.isLong(now)) {
            call.realm.lastLongAnswer = now;
        }
    }

    private static boolean isWithin(long nanos, Long time, long now) {
        return time != null && now - time <= nanos;
    }
}
