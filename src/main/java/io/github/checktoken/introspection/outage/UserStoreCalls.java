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
 * to other realms. Keycloak has at least 50 threads for requests, unless {@code http-pool-max-threads} says less.
 * <ul>
 *   <li>At most {@value #AT_ONCE} calls ask at once, and one of each realm always may. Others wait for a place, for up to
 *       half a second.
 *   <li>At most {@value #OF_A_REALM} of a realm and {@value #OF_ALL_REALMS} of all realms ask, and no other waits, if one of
 *       the realm's stores has failed in the last ten seconds, or if a call takes longer than half a second. But if calls
 *       that took longer than 100 milliseconds have got an answer in the last half second, the store is slow and does not
 *       hang. A quicker answer shows nothing: it may be about a person who is cached.
 * </ul>
 */
final class UserStoreCalls {

    static final int AT_ONCE = 40;
    static final int OF_A_REALM = 12;
    static final int OF_ALL_REALMS = 24;

    /** So long because on a busy machine, a call can take long without any trouble. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

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

        private boolean takesLongerThan(long nanos, long now) {
            return !isWithin(nanos, begin, now);
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
                            .filter(oldest -> oldest.takesLongerThan(PATIENCE_NANOS, now))
                            .isPresent();
        }

        boolean answersLongCalls(long now) {
            return isWithin(PATIENCE_NANOS, lastLongAnswer, now);
        }
    }

    /** @param nanoTime {@link System#nanoTime} */
    UserStoreCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return what to give to {@link #end}; empty if this call may not ask */
    synchronized Optional<Call> begin(String realmId) {
        Realm realm = realms.computeIfAbsent(realmId, id -> new Realm());
        if (isClosed(realm) || !hasPlaceSoon(realm) || isClosed(realm)) {
            return Optional.empty();
        }
        Call call = new Call(realm, nanoTime.getAsLong());
        realm.calls.add(call);
        return Optional.of(call);
    }

    private boolean hasPlaceSoon(Realm realm) {
        long end = nanoTime.getAsLong() + PATIENCE_NANOS;
        try {
            for (long left = PATIENCE_NANOS;
                    left > 0 && !hasPlace(realm) && !isClosed(realm);
                    left = end - nanoTime.getAsLong()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return hasPlace(realm);
    }

    private boolean hasPlace(Realm realm) {
        return realm.calls.isEmpty()
                || realms.values().stream().mapToInt(each -> each.calls.size()).sum() < AT_ONCE;
    }

    /** Whether a store of the realm does not answer, and enough calls wait for such stores. */
    private boolean isClosed(Realm realm) {
        long now = nanoTime.getAsLong();
        return realm.isInTrouble(now) && isFull(realm, now) && !realm.answersLongCalls(now);
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
        notifyAll();
        if (end == End.FAILURE) {
            call.realm.lastFailure = now;
        } else if (end == End.ANSWER && call.takesLongerThan(LONG_NANOS, now)) {
            call.realm.lastLongAnswer = now;
        }
    }

    private static boolean isWithin(long nanos, Long time, long now) {
        return time != null && now - time <= nanos;
    }
}
