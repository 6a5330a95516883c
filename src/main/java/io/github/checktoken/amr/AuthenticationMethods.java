package io.github.checktoken.amr;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The methods that a person has used, each kind once. */
record AuthenticationMethods(@JsonValue List<MethodUse> uses) {

    /** RFC 8176: multiple-factor authentication. Never recorded, always computed. */
    static final String MFA = "mfa";

    static final AuthenticationMethods NONE = new AuthenticationMethods(List.of());

    @JsonCreator
    AuthenticationMethods {
        uses = List.copyOf(uses);
    }

    /** These and later ones. */
    AuthenticationMethods and(AuthenticationMethods later) {
        Stream<MethodUse> kept = uses.stream().filter(use -> later.uses.stream().noneMatch(use::isSameKind));
        return new AuthenticationMethods(
                Stream.concat(kept, later.uses.stream()).distinct().toList());
    }

    /** @param now in seconds since the epoch */
    AuthenticationMethods countingAt(long now) {
        return new AuthenticationMethods(
                uses.stream().filter(use -> use.countsAt(now)).toList());
    }

    /** What {@code amr} may tell: each value once, and {@code mfa} if and only if two categories were used. */
    Set<String> values() {
        Set<String> values = new LinkedHashSet<>();
        uses.stream()
                .map(MethodUse::method)
                .filter(method -> !method.equals(MFA))
                .forEach(values::add);
        if (isMultiFactor()) {
            values.add(MFA);
        }
        return values;
    }

    private boolean isMultiFactor() {
        return uses.stream().anyMatch(MethodUse::multiFactor)
                || uses.stream()
                                .map(use -> AuthenticationMethod.of(use.method()))
                                .flatMap(Optional::stream)
                                .map(AuthenticationMethod::factor)
                                .filter(factor -> factor != AuthenticationMethod.Factor.NONE)
                                .distinct()
                                .count()
                        > 1;
    }
}
