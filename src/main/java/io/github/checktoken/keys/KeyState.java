package io.github.checktoken.keys;

import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;

/**
 * How it stands with one data provider's key on this node.
 *
 * @param key the one that answers are encrypted to now
 * @param failure why the last load of its JWKS gave no key, in English; empty when it did, or none has ended yet
 * @param loading whether a load is under way
 */
public record KeyState(Optional<KeyWrapper> key, Optional<String> failure, boolean loading) {}
