package io.github.checktoken.limit;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.SingleUseObjectProvider;

import io.github.checktoken.keycloak.CurrentTime;

/**
 * Limits the number of attempts within a period: for each user, over all logins and browsers, or for each caller that a
 * string identifies.
 *
 * <p>Each attempt takes a slot in Keycloak's single-use object store, and the slot expires after the period. A slot is
 * taken in one step ({@link SingleUseObjectProvider#putIfAbsent}), outside the request's transaction and for all nodes,
 * so neither parallel nor failing requests evade the limit. The slots are lost when the last node stops.
 */
public final class AttemptLimit {

    private static final int SHORTEST_PERIOD_SECONDS = 60;

    private final SlotNameHmac hmac;
    private final SingleUseObjectProvider slots;
    private final String name;
    private final int max;
    private final int seconds;

    /**
     * Uses the key with which the realm signs its cookies. Every login needs this key, and Keycloak generates it if the
     * realm has none. So a call of a data provider, which needs no login, must not use this constructor.
     *
     * @param name what is counted; no other limit may have the same name
     * @param max number of slots; with 0 every attempt is rejected
     * @param seconds how long an attempt counts
     */
    public AttemptLimit(KeycloakSession session, String name, int max, int seconds) {
        this(session, SlotNameHmac.withRealmKey(session), name, max, seconds);
    }

    /**
     * @param hmac makes the names of the slots secret
     * @param name what is counted; no other limit may have the same name
     * @param max number of slots; with 0 every attempt is rejected
     * @param seconds how long an attempt counts
     */
    public AttemptLimit(KeycloakSession session, SlotNameHmac hmac, String name, int max, int seconds) {
        this.hmac = hmac;
        this.slots = session.singleUseObjects();
        // Otherwise a limit that lasts differently would find these slots without a trace of its own, and free them.
        this.name = name + ":" + seconds;
        this.max = max;
        this.seconds = seconds;
    }

    /**
     * Counts an attempt, if a slot is free.
     *
     * @param who the id of the user, or what identifies the caller, whose attempts are counted
     * @return whether a slot was free
     */
    public boolean take(String who) {
        if (isReached(who)) {
            return false;
        }
        // Before the slot, so that whoever finds all slots taken finds this too.
        slots.putIfAbsent(trace(who, thisPeriod()), 2L * period());
        return slotNames(who).anyMatch(slot -> slots.putIfAbsent(slot, seconds));
    }

    /** Whether all slots are taken, so that {@link #take} would return false. */
    public boolean isReached(String who) {
        if (!slotNames(who).allMatch(slots::contains)) {
            return false;
        }
        if (max == 0 || isRecent(who)) {
            return true;
        }
        free(who);
        return false;
    }

    /** How many more attempts {@link #take} would allow now. */
    public int left(String who) {
        return isReached(who)
                ? 0
                : (int) slotNames(who).filter(slot -> !slots.contains(slot)).count();
    }

    /**
     * Whether an attempt was made in this period or the one before; or the next one, by a node whose clock is ahead. If
     * not, the clock was put back: the store ends an entry at a time of day, so the slots would stay taken until that
     * time comes again.
     */
    private boolean isRecent(String who) {
        return LongStream.rangeClosed(thisPeriod() - 1, thisPeriod() + 1)
                .anyMatch(period -> slots.contains(trace(who, period)));
    }

    private String trace(String who, long period) {
        return hmac.of(name, who) + ":in:" + period;
    }

    private long thisPeriod() {
        return CurrentTime.seconds() / period();
    }

    /** Longer than what the clocks of nodes may differ by. */
    private int period() {
        return Math.max(seconds, SHORTEST_PERIOD_SECONDS);
    }

    /** Frees all slots of the user or of the caller. */
    public void free(String who) {
        slotNames(who).forEach(slots::remove);
    }

    /**
     * The slots share one HMAC, so that a limit with many slots costs no more than one with few. Whoever knew the name
     * of one slot could derive the others, but the names never leave the store.
     */
    private Stream<String> slotNames(String who) {
        String secret = hmac.of(name, who);
        return IntStream.range(0, max).mapToObj(slot -> secret + ":" + slot);
    }
}
