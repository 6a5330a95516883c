package io.github.checktoken.introspection.keys;

import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;

/**
 * The state of a data provider's encryption key on this node.
 *
 * @param key the key that answers are encrypted to now; empty if there is none
 * @param failure why the last load of the JWKS gave no key, in English; empty if it gave one, or if no load has ended
 *     yet
 * @param loading whether a load is under way
 */
public record EncryptionKeyStatus(Optional<KeyWrapper> key, Optional<String> failure, boolean loading) {}
