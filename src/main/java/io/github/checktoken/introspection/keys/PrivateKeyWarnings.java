package io.github.checktoken.introspection.keys;

import java.util.Map;

import io.github.checktoken.introspection.keys.EncryptionKeyProvider.KnownDataProvider;
import io.github.checktoken.telemetry.RecentlyUsedMap;
import org.jboss.logging.Logger;

/** Warns in the log of each private key that a data provider publishes, once. */
final class PrivateKeyWarnings {

    private static final int MAX_KEYS = 5000;

    private static final Logger logger = Logger.getLogger(PrivateKeyWarnings.class);

    /** A save of the client changes nothing in them. */
    private final Map<Known, Boolean> known = RecentlyUsedMap.atMost(MAX_KEYS);

    /** @param key as in {@link PrivateKeys#keys} */
    private record Known(KnownDataProvider client, int key) {}

    void warn(KnownDataProvider client, ClientJwks jwks, PrivateKeys privateKeys) {
        boolean isNew = false;
        for (int key : privateKeys.keys()) {
            isNew |= known.put(new Known(client, key), true) == null;
        }
        if (isNew) {
            logger.warnf(
                    "The JWKS of data provider '%s' has a private key (%s), so whoever reads it can read the answers",
                    jwks.owner(), privateKeys.members());
        }
    }
}
