package io.github.checktoken.keycloak;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An internal member of Keycloak, and the parts of this project that use it.
 *
 * @param alternatives more than one if its parameters differ between versions of Keycloak; one of them must be there
 */
record NeededMember(Set<Part> parts, List<KeycloakInternalMember> alternatives) {

    /**
     * @param line the parts, separated by commas; owner, name and descriptor, separated by single spaces; further
     *     descriptors after a {@code |}
     */
    static NeededMember parse(String line) {
        String[] columns = line.split(" ");
        Set<Part> parts = Stream.of(columns[0].split(","))
                .map(name -> Part.valueOf(name.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class)));
        return new NeededMember(
                parts,
                Stream.of(columns[3].split("\\|"))
                        .map(descriptor -> new KeycloakInternalMember(columns[1], columns[2], descriptor))
                        .toList());
    }

    boolean isNeededBy(Part part) {
        return parts.stream().anyMatch(part::needs);
    }

    boolean isMissing() {
        return alternatives.stream().allMatch(KeycloakInternalMember::isMissing);
    }

    String displayName() {
        return alternatives.get(0).displayName();
    }
}
