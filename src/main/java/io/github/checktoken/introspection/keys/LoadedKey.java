package io.github.checktoken.introspection.keys;

import java.io.IOException;

/**
 * What a fetched JWK Set gives for one algorithm.
 *
 * @param key null if there is a failure
 * @param failure why there is no key, in English; null if there is one
 * @param failed whether the set itself could not be loaded; false if it merely has no key that fits
 * @param privateKeys null if the set has none, or could not be loaded
 */
record LoadedKey(SelectedKey key, String failure, boolean failed, PrivateKeys privateKeys) {

    /** @param algorithm JWE {@code alg} */
    static LoadedKey of(FetchedJwks fetched, String algorithm) {
        if (fetched.failure() != null) {
            return failed(fetched.failure());
        }
        try {
            JwkSet set = JwkSet.parse(fetched.json());
            PrivateKeys privateKeys = PrivateKeys.of(set).orElse(null);
            return EncryptionKeySelector.find(set, algorithm)
                    .map(key -> new LoadedKey(key, null, false, privateKeys))
                    .orElseGet(() -> new LoadedKey(
                            null,
                            "no key in the set fits (" + JwkMisfit.all(set, algorithm) + ")",
                            false,
                            privateKeys));
        } catch (IOException e) {
            return failed(e.getMessage());
        } catch (Throwable e) {
            // Also an Error: otherwise the load would never end.
            return failed("the set cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static LoadedKey failed(String failure) {
        return new LoadedKey(null, failure, true, null);
    }
}
