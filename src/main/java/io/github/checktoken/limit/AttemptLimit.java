package io.github.checktoken.limit;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.crypto.SecretKey;

import org.keycloak.crypto.KeyUse;
import org.keycloak.jose.jws.Algorithm;
import org.keycloak.jose.jws.crypto.HMACProvider;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.SingleUseObjectProvider;
import org.keycloak.models.UserModel;
import org.keycloak.models.cache.CachedRealmModel;

import io.github.checktoken.keycloak.CurrentTime;

/**
 * Limits the number of attempts within a period: for each user, over all logins and browsers, or for each caller that a
 * string identifies.
 *
 * <p>Each attempt takes a slot in Keycloak's single-use object store, and the slot expires after the period. A slot is
 * taken in one step ({@link SingleUseObjectProvider#putIfAbsent}), outside the request's transaction and for all nodes,
 * so neither parallel nor failing requests evade the limit. The slots are lost when the last node stops.
 *
 * <p>The store does not separate its entries by owner: Keycloak 26.5 removes any key that a client sends as
 * {@code request_uri}, and adds any key that a client assertion has as its {@code jti}. So the key of a slot is secret:
 * it contains an HMAC under the key with which the realm signs its cookies, or under another secret. Nobody outside the server knows the key of
 * a slot, not even the user whose attempts it counts. If the realm's key is replaced, the count starts again at zero.
 */
public final class AttemptLimit {

    /** The name under which the realm's key is kept with the cached realm. */
    private static final String CACHED_KEY = AttemptLimit.class.getName();

    private static final int SHORTEST_PERIOD_SECONDS = 60;

    private final Supplier<SecretKey> key;
    private final SingleUseObjectProvider slots;
    private final String name;
    private final int max;
    private final int seconds;
    private final Map<String, String> hmacs = new HashMap<>();

    /**
     * Uses the key with which the realm signs its cookies. Every login needs this key, and Keycloak generates it if the
     * realm has none. So a request that belongs to no login must not use this constructor.
     *
     * @param name what is counted; no other limit may have the same name
     * @param max number of slots; with 0 every attempt is rejected
     * @param seconds how long an attempt counts
     */
    public AttemptLimit(KeycloakSession session, String name, int max, int seconds) {
        this(session, () -> realmKey(session), name, max, seconds);
    }

    /**
     * @param key a secret that nobody knows whose attempts are counted
     * @param name what is counted; no other limit may have the same name
     * @param max number of slots; with 0 every attempt is rejected
     * @param seconds how long an attempt counts
     */
    public AttemptLimit(KeycloakSession session, SecretKey key, String name, int max, int seconds) {
        this(session, () -> key, name, max, seconds);
    }

    private AttemptLimit(KeycloakSession session, Supplier<SecretKey> key, String name, int max, int seconds) {
        this.key = key;
        this.slots = session.singleUseObjects();
        this.name = name;
        this.max = max;
        this.seconds = seconds;
    }

    /**
     * Counts an attempt, if a slot is free.
     *
     * @param user null for a user who does not exist; all of these share one count
     * @return whether a slot was free
     */
    public boolean take(UserModel user) {
        return take(id(user));
    }

    /**
     * Counts an attempt, if a slot is free.
     *
     * @param who identifies the caller whose attempts are counted
     * @return whether a slot was free
     */
    public boolean take(String who) {
        if (isReached(who)) {
            return false;
        }
        // Before the slot, so that whoever finds all slots taken finds this too.
        slots.putIfAbsent(trace(who, thisPeriod()), 2L * period());
        return keys(who).anyMatch(key -> slots.putIfAbsent(key, seconds));
    }

    /** Whether all slots are taken, so that {@link #take} would return false. */
    public boolean isReached(UserModel user) {
        return isReached(id(user));
    }

    /** Whether all slots are taken, so that {@link #take} would return false. */
    public boolean isReached(String who) {
        if (!keys(who).allMatch(slots::contains)) {
            return false;
        }
        if (max == 0 || isRecent(who)) {
            return true;
        }
        free(who);
        return false;
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
        return hmacOf(who) + ":in:" + period;
    }

    private long thisPeriod() {
        return CurrentTime.seconds() / period();
    }

    /** Longer than what the clocks of nodes may differ by. */
    private int period() {
        return Math.max(seconds, SHORTEST_PERIOD_SECONDS);
    }

    /** Frees all slots of the user. */
    public void clear(UserModel user) {
        free(id(user));
    }

    /** Frees all slots of the caller. */
    public void free(String who) {
        keys(who).forEach(slots::remove);
    }

    private static String id(UserModel user) {
        return user == null ? "" : user.getId();
    }

    /**
     * The slots share one HMAC, so that a limit with many slots costs no more than one with few. Whoever knew the key
     * of one slot could derive the others, but the keys never leave the store.
     */
    private Stream<String> keys(String who) {
        String hmac = hmacOf(who);
        return IntStream.range(0, max).mapToObj(slot -> hmac + ":" + slot);
    }

    private String hmacOf(String who) {
        return hmacs.computeIfAbsent(String.join("\0", "checktoken", name, who), this::hmac);
    }

    /**
     * Keycloak signs no other text with this beginning, so a signature for another purpose is never the key of a slot.
     */
    private String hmac(String text) {
        byte[] hmac = HMACProvider.sign(text.getBytes(StandardCharsets.UTF_8), Algorithm.HS512, key.get());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hmac);
    }

    /**
     * To find the key takes longer than to use it, so it is kept with the realm in Keycloak's cache, which forgets it on
     * all nodes when the realm or one of its key providers changes. With a custom key provider that replaces its key by
     * itself, slots go on with the old key until then, which changes nothing else.
     */
    @SuppressWarnings("unchecked")
    private static SecretKey realmKey(KeycloakSession session) {
        RealmModel realm = session.getContext().getRealm();
        if (!(realm instanceof CachedRealmModel cached)) {
            return activeKey(session, realm);
        }
        Map<String, Object> kept = cached.getCachedWith();
        SecretKey known = (SecretKey) kept.get(CACHED_KEY);
        if (known == null) {
            known = activeKey(session, realm);
            kept.put(CACHED_KEY, known);
        }
        return known;
    }

    private static SecretKey activeKey(KeycloakSession session, RealmModel realm) {
        return session.keys()
                .getActiveKey(realm, KeyUse.SIG, Constants.INTERNAL_SIGNATURE_ALGORITHM)
                .getSecretKey();
    }
}
