package io.github.checktoken.walk.oracle;

import java.util.Set;

/**
 * Somebody at an identity provider.
 *
 * @param subject the user id there
 * @param methods what the provider says of each login of theirs
 */
public record Identity(String provider, String name, String subject, String password, Set<String> methods) {}
