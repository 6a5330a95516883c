package io.github.checktoken.api;

import java.lang.module.ModuleDescriptor.Version;

/**
 * The oldest Keycloak that this project runs on. Older ones lack internal methods that it calls
 * ({@code AuthenticatorUtil.getAuthnCredentials} before 26.4), which would show at somebody's first login.
 */
final class KeycloakVersionCheck {

    static final String OLDEST_VERSION = "26.5";

    private KeycloakVersionCheck() {}

    /**
     * @param running as {@code org.keycloak.common.Version} has it, for example 26.7.3
     * @throws IllegalStateException when it is older; Keycloak then ends its start with the message
     */
    static void require(String running) {
        if (Version.parse(running).compareTo(Version.parse(OLDEST_VERSION)) < 0) {
            throw new IllegalStateException("checktoken needs Keycloak " + OLDEST_VERSION + " or later; this is "
                    + running + ". Update Keycloak, or remove keycloak-checktoken from providers/.");
        }
    }
}
