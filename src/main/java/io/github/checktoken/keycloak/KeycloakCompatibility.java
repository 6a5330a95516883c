package io.github.checktoken.keycloak;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Stops the start with a message if this version of Keycloak lacks something that the JAR uses. Most of what it uses
 * are internal classes of Keycloak, which may change in any release; without this check the first login or call that
 * reaches a missing method would fail.
 */
public final class KeycloakCompatibility {

    static final String OLDEST_VERSION = "26.5";

    /** Every internal member that the JAR uses, one {@link KeycloakInternalMember} a line, sorted. A test keeps it complete. */
    static final String MEMBERS = "keycloak-members.txt";

    private static final String REMEDY =
            " Install a version of checktoken that supports it, or remove keycloak-checktoken from providers/.";

    private KeycloakCompatibility() {}

    /** @throws IllegalStateException if this Keycloak does not fit; Keycloak then ends its start with the message */
    public static void require() {
        String running = org.keycloak.common.Version.VERSION;
        requireVersion(running);
        requireMembers(members(), running);
        TokenIntrospectContextFactory.requireConstructor(running);
    }

    static void requireVersion(String running) {
        if (Version.parse(running).compareTo(Version.parse(OLDEST_VERSION)) < 0) {
            throw new IllegalStateException("checktoken needs Keycloak " + OLDEST_VERSION + " or later; this is "
                    + running + ". Update Keycloak, or remove keycloak-checktoken from providers/.");
        }
    }

    static void requireMembers(List<KeycloakInternalMember> members, String running) {
        List<String> missing = members.stream()
                .filter(KeycloakInternalMember::isMissing)
                .map(KeycloakInternalMember::displayName)
                .toList();
        if (!missing.isEmpty()) {
            throw missing(String.join(", ", missing), running);
        }
    }

    static IllegalStateException missing(String what, String running) {
        return new IllegalStateException(
                "checktoken uses " + what + ", which Keycloak " + running + " does not have." + REMEDY);
    }

    static List<KeycloakInternalMember> members() {
        try (InputStream members = KeycloakCompatibility.class.getResourceAsStream(MEMBERS)) {
            return new String(members.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(KeycloakInternalMember::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
