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
 *   <li>At most {@value #OF_A_REALM_AT_ONCE} of a realm and {@value #OF_ALL_REALMS_AT_ONCE} of all realms ask at once, but
 *       one of each realm always may. Others wait for up to {@value #LONG_MILLIS} milliseconds until one of these has ended.
 *   <li>At most {@value #OF_A_REALM} and {@value #OF_ALL_REALMS} ask, and no other waits, if one of a realm's stores has
 *       failed in the last ten seconds, or if a call takes longer than that and no such call has got an answer lately. A
 *       quick answer shows nothing: it may be about a person who is cached.
 * </ul>
 */
final class WaitingCalls {

    static final int OF_A_REALM_AT_ONCE = 24;
    static final int OF_ALL_REALMS_AT_ONCE = 32;
    static final int OF_A_REALM = 12;
    static final int OF_ALL_REALMS = 24;

    /** On a small machine, a call can take a third of that because many others come at once. */
    static final int LONG_MILLIS = 300;

    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(LONG_MILLIS);
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
        Realm realm = realms.computeIfAbsent(realmId, id -> new Realm());
        if (!mayAsk(realm) && !mayAskSoon(realm)) {
            return Optional.empty();
        }
        Call call = new Call(realm, nanoTime.getAsLong());
        realm.calls.add(call);
        return Optional.of(call);
    }

    /** Waits, unless calls of the realm wait for a store that does not answer. */
    private boolean mayAskSoon(Realm realm) {
        long end = nanoTime.getAsLong() + LONG_NANOS;
        try {
            for (long now = nanoTime.getAsLong(); now < end && !isClosed(realm); now = nanoTime.getAsLong()) {
                TimeUnit.NANOSECONDS.timedWait(this, end - now);
                if (mayAsk(realm)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean mayAsk(Realm realm) {
        boolean hasPlace = realm.calls.size() < OF_A_REALM_AT_ONCE
                && realms.values().stream().mapToInt(each -> each.calls.size()).sum() < OF_ALL_REALMS_AT_ONCE;
        return realm.calls.isEmpty() || hasPlace && !isClosed(realm);
    }

    /** Whether a store of the realm does not answer, and enough calls wait for such stores. */
    private boolean isClosed(Realm realm) {
        long now = nanoTime.getAsLong();
        return realm.isInTrouble(now) && !realm.answersLongCalls(now) && isFull(realm, now);
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
        } else if (end == End.ANSWER && call.isLong(now)) {
            call.realm.lastLongAnswer = now;
        }
    }

    private static boolean isWithin(long nanos, Long time, long now) {
        return time != null && now - time <= nanos;
    }
}
