package io.github.checktoken.limit;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.crypto.SecretKey;

import org.keycloak.crypto.KeyUse;
import org.keycloak.jose.jws.Algorithm;
import org.keycloak.jose.jws.crypto.HMACProvider;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.cache.CachedRealmModel;

/**
 * Makes the names of slots secret, and those of other entries of Keycloak's single-use object store.
 *
 * <p>The store does not separate its entries by owner: Keycloak 26.5 removes any key that a client sends as
 * {@code request_uri}, and adds any key that a client assertion has as its {@code jti}. So the name of a slot contains an
 * HMAC under the key with which the realm signs its cookies, or under another secret. Nobody outside the server knows the
 * name, not even the user whose attempts it counts. If the realm's key is replaced, the count starts again at zero.
 */
public final class SlotNameHmac {

    /** The name under which the realm's key is kept with the cached realm. */
    private static final String CACHED_KEY = SlotNameHmac.class.getName();

    private final Supplier<SecretKey> key;
    private final Map<String, String> known = new HashMap<>();

    private SlotNameHmac(Supplier<SecretKey> key) {
        this.key = key;
    }

    /** @param key a secret that nobody knows whom the entries are about */
    public static SlotNameHmac with(SecretKey key) {
        return new SlotNameHmac(() -> key);
    }

    public static SlotNameHmac withRealmKey(KeycloakSession session) {
        return new SlotNameHmac(() -> realmKey(session));
    }

    /**
     * Keycloak signs no other text with this beginning, so a signature for another purpose is never the name of a slot.
     *
     * @param limit what the entries are for; nothing else may have the same name
     * @param who whom or what this one is about
     */
    public String of(String limit, String who) {
        return known.computeIfAbsent(String.join("\0", "checktoken", limit, who), this::hmac);
    }

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
