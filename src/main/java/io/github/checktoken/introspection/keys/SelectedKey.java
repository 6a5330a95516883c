package io.github.checktoken.introspection.keys;

import java.time.Instant;
import java.util.Map;

import org.keycloak.crypto.KeyWrapper;

import io.github.checktoken.introspection.jose.AnswerEncrypter;

/**
 * The key of a JWK Set that answers are encrypted to.
 *
 * @param issued when the key was made, from its member {@code iat} (OpenID Federation 1.0); null if it has none
 */
record SelectedKey(AnswerEncrypter encrypter, Instant issued) {

    /** The year 9999: a later time is no time in seconds. */
    private static final long LATEST = 253_402_300_799L;

    /** Nothing else depends on {@code iat}, so a wrong one is ignored. */
    static SelectedKey of(AnswerEncrypter encrypter, Map<?, ?> jwk) {
        boolean isTime = jwk.get("iat") instanceof Number iat && iat.longValue() > 0 && iat.longValue() <= LATEST;
        return new SelectedKey(encrypter, isTime ? Instant.ofEpochSecond(((Number) jwk.get("iat")).longValue()) : null);
    }

    KeyWrapper key() {
        return encrypter.key();
    }
}
