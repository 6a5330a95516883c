package io.github.checktoken.keycloak;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Knows from the start which parts of this project cannot work, because this version of Keycloak lacks something that
 * they use. Most of what they use are internal classes of Keycloak, which may change in any release. Such a part is off;
 * the server, the other parts and all realms that do not use it go on.
 */
public final class KeycloakCompatibility {

    static final String OLDEST_VERSION = "26.5";

    /** Every internal member that the JAR uses, one {@link NeededMember} a line, sorted. A test keeps it complete. */
    static final String MEMBERS = "keycloak-members.txt";

    private static final KeycloakCompatibility RUNNING =
            new KeycloakCompatibility(org.keycloak.common.Version.VERSION, members());

    /** Found out once, because every request asks. */
    private final Map<Part, Optional<String>> problems = new EnumMap<>(Part.class);

    KeycloakCompatibility(String version, List<NeededMember> members) {
        List<NeededMember> missing =
                members.stream().filter(NeededMember::isMissing).toList();
        for (Part part : Part.values()) {
            problems.put(part, problem(part, version, missing));
        }
    }

    /** @return for an administrator, why this part is off; empty if it works */
    public static Optional<String> problem(Part part) {
        return RUNNING.problemOf(part);
    }

    public static boolean supports(Part part) {
        return problem(part).isEmpty();
    }

    Optional<String> problemOf(Part part) {
        return problems.get(part);
    }

    private static Optional<String> problem(Part part, String version, List<NeededMember> missing) {
        if (Version.parse(version).compareTo(Version.parse(OLDEST_VERSION)) < 0) {
            return Optional.of(
                    "it needs Keycloak " + OLDEST_VERSION + " or later; this is " + version + ". Update Keycloak.");
        }
        String names = missing.stream()
                .filter(member -> member.isNeededBy(part))
                .map(NeededMember::displayName)
                .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("it uses " + names + ", which Keycloak " + version + " does not have."
                        + " Install a version of checktoken that supports it.");
    }

    static List<NeededMember> members() {
        try (InputStream members = KeycloakCompatibility.class.getResourceAsStream(MEMBERS)) {
            return new String(members.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(NeededMember::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
