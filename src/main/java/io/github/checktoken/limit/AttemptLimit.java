package io.github.checktoken.limit;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.keycloak.crypto.SignatureProvider;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.SingleUseObjectProvider;
import org.keycloak.models.UserModel;

/**
 * At max so many of something within a time for each one who is counted: for a person over all logins and browsers, or
 * for whoever a text names.
 *
 * <p>Each one takes a slot in Keycloak's single-use object store and frees it when the time is over. A slot is taken
 * in one step ({@link SingleUseObjectProvider#putIfAbsent}), outside of the request's transaction and for all nodes, so
 * neither parallel requests nor failing ones slip past. A restart of the last node forgets the slots.
 *
 * <p>The store has no owners: Keycloak 26.5 removes any key that a {@code request_uri} names, and adds any that a client
 * assertion has as its {@code jti}. So a slot's key is a secret: an HMAC under the key with which the realm signs its
 * cookies. Nobody outside can name a slot, who is counted neither, and a new key of the realm forgets the slots.
 */
public final class AttemptLimit {

    private final KeycloakSession session;
    private final SingleUseObjectProvider slots;
    private final String name;
    private final int max;
    private final int seconds;

    /**
     * @param name what is counted, unlike any other limit's
     * @param max with 0 there is never room
     * @param seconds how long one counts
     */
    public AttemptLimit(KeycloakSession session, String name, int max, int seconds) {
        this.session = session;
        this.slots = session.singleUseObjects();
        this.name = name;
        this.max = max;
        this.seconds = seconds;
    }

    /**
     * @param user null for all whom nobody knows
     * @return whether there was room for one more, which is counted by this call
     */
    public boolean take(UserModel user) {
        return take(id(user));
    }

    /**
     * @param who is counted
     * @return whether there was room for one more, which is counted by this call
     */
    public boolean take(String who) {
        return keys(who).anyMatch(key -> slots.putIfAbsent(key, seconds));
    }

    /** @return whether {@link #take} would be refused now */
    public boolean isReached(UserModel user) {
        return isReached(id(user));
    }

    /** @return whether {@link #take} would be refused now */
    public boolean isReached(String who) {
        return keys(who).allMatch(slots::contains);
    }

    /** Forgets all that was counted. */
    public void clear(UserModel user) {
        keys(id(user)).forEach(slots::remove);
    }

    private static String id(UserModel user) {
        return user == null ? "" : user.getId();
    }

    /**
     * One HMAC for all slots of the limit: who knew the key of one slot would know the others, but a key never leaves the
     * store, and with one HMAC a limit of many slots costs no more than one of few.
     */
    private Stream<String> keys(String who) {
        String secret = hmac(String.join("\0", "checktoken", name, who));
        return IntStream.range(0, max).mapToObj(slot -> secret + ":" + slot);
    }

    /** Keycloak signs nothing else that begins like this, so no signature of another purpose is a key. */
    private String hmac(String text) {
        byte[] hmac = session.getProvider(SignatureProvider.class, Constants.INTERNAL_SIGNATURE_ALGORITHM)
                .signer()
                .sign(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hmac);
    }
}
