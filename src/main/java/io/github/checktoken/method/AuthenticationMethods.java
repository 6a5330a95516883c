package io.github.checktoken.method;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The methods that a person has used, each kind once. */
public record AuthenticationMethods(@JsonValue List<MethodUse> uses) {

    /** RFC 8176: multiple-factor authentication. Never recorded, always computed. */
    public static final String MFA = "mfa";

    public static final AuthenticationMethods NONE = new AuthenticationMethods(List.of());

    @JsonCreator
    public AuthenticationMethods {
        uses = List.copyOf(uses);
    }

    /** These and later ones. */
    public AuthenticationMethods and(AuthenticationMethods later) {
        Stream<MethodUse> kept = uses.stream().filter(use -> later.uses.stream().noneMatch(use::isSameKind));
        return new AuthenticationMethods(
                Stream.concat(kept, later.uses.stream()).distinct().toList());
    }

    /** @param now in seconds since the epoch */
    public AuthenticationMethods countingAt(long now) {
        return new AuthenticationMethods(
                uses.stream().filter(use -> use.countsAt(now)).toList());
    }

    /** @param time in seconds since the epoch, itself included */
    public AuthenticationMethods usedSince(long time) {
        return new AuthenticationMethods(
                uses.stream().filter(use -> use.time() >= time).toList());
    }

    /** What {@code amr} may tell: each value once, and {@code mfa} if and only if two categories were used. */
    public Set<String> values() {
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

    /** Whether one of them shows who is at the browser; an administrator's own value does not. */
    public boolean identifyUser() {
        return uses.stream()
                .map(use -> AuthenticationMethod.of(use.method()))
                .flatMap(Optional::stream)
                .anyMatch(AuthenticationMethod::identifiesUser);
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
