package io.github.checktoken.introspection.keys;

import java.io.IOException;

import io.github.checktoken.introspection.jose.AnswerEncrypter;

/**
 * What a fetched JWK Set gives for one algorithm.
 *
 * @param encrypter null if there is a failure
 * @param failure why there is no key, in English; null if there is one
 * @param failed whether the set itself could not be loaded; false if it merely has no key that fits
 */
record LoadedKey(AnswerEncrypter encrypter, String failure, boolean failed) {

    /** @param algorithm JWE {@code alg} */
    static LoadedKey of(FetchedJwks fetched, String algorithm) {
        if (fetched.failure() != null) {
            return new LoadedKey(null, fetched.failure(), true);
        }
        try {
            return EncryptionKeySelector.find(fetched.json(), algorithm)
                    .map(key -> new LoadedKey(new AnswerEncrypter(key, algorithm), null, false))
                    .orElseGet(() -> new LoadedKey(null, "no key in the set fits", false));
        } catch (IOException e) {
            return new LoadedKey(null, e.getMessage(), true);
        } catch (Throwable e) {
            // Also an Error: otherwise the load would never end.
            return new LoadedKey(null, "the set cannot be read (" + e.getClass().getSimpleName() + ")", true);
        }
    }
}
