package io.github.checktoken.introspection.keys;

import java.time.Instant;

import org.keycloak.crypto.KeyWrapper;

/**
 * The key of a JWK Set that answers are encrypted to.
 *
 * @param issued when the key was made, from its member {@code iat} (OpenID Federation 1.0); null if it has none
 */
record SelectedKey(KeyWrapper key, Instant issued) {}
