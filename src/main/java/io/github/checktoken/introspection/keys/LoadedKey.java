package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.time.Instant;

import io.github.checktoken.introspection.jose.AnswerEncrypter;

/**
 * What a fetched JWK Set gives for one algorithm.
 *
 * @param encrypter null if there is a failure
 * @param issued when the data provider made the key, in its own words; null if it does not say
 * @param failure why there is no key, in English; null if there is one
 * @param failed whether the set itself could not be loaded; false if it merely has no key that fits
 */
record LoadedKey(AnswerEncrypter encrypter, Instant issued, String failure, boolean failed) {

    /** @param algorithm JWE {@code alg} */
    static LoadedKey of(FetchedJwks fetched, String algorithm) {
        if (fetched.failure() != null) {
            return failed(fetched.failure());
        }
        try {
            return EncryptionKeySelector.find(fetched.json(), algorithm)
                    .map(found ->
                            new LoadedKey(new AnswerEncrypter(found.key(), algorithm), found.issued(), null, false))
                    .orElseGet(() -> new LoadedKey(null, null, "no key in the set fits", false));
        } catch (IOException e) {
            return failed(e.getMessage());
        } catch (Throwable e) {
            // Also an Error: otherwise the load would never end.
            return failed("the set cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static LoadedKey failed(String failure) {
        return new LoadedKey(null, null, failure, true);
    }
}
