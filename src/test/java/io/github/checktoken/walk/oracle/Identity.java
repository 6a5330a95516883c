package io.github.checktoken.walk.oracle;

import java.util.Set;

/**
 * An account at an identity provider.
 *
 * @param subject the user id there
 * @param methods what the provider reports for each login with this account
 */
public record Identity(String provider, String name, String subject, String password, Set<String> methods) {}
