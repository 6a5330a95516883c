package io.github.checktoken.introspection.keys;

import java.time.Instant;
import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;

/**
 * The state of a data provider's encryption key on this node.
 *
 * @param key the key that answers are encrypted to now; empty if there is none
 * @param issued when the data provider made that key, if the JWK has {@code iat}
 * @param knownSince when this node loaded that key for the first time since it started or the client was saved
 * @param lastLoad when the last load of the JWKS ended; empty if none has ended yet
 * @param nextLoad from when a call, or the administrators' view, loads the JWKS again
 * @param failure why the last load of the JWKS gave no key, in English; empty if it gave one, or if no load has ended
 *     yet
 * @param loading whether a load is under way
 * @param privateMembers which private members the JWKS has, such as {@code 1: d, p}; empty if it has only public keys
 */
public record EncryptionKeyStatus(
        Optional<KeyWrapper> key,
        Optional<Instant> issued,
        Optional<Instant> knownSince,
        Optional<Instant> lastLoad,
        Instant nextLoad,
        Optional<String> failure,
        boolean loading,
        Optional<String> privateMembers) {}
