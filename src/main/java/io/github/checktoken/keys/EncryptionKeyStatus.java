package io.github.checktoken.keys;

import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;

/**
 * What this node knows of a data provider's key.
 *
 * @param key the one that answers are encrypted to now
 * @param failure why the last load of its JWKS gave no key, in English; empty if it gave one or none has ended yet
 * @param loading whether a load is under way
 */
public record EncryptionKeyStatus(Optional<KeyWrapper> key, Optional<String> failure, boolean loading) {}
