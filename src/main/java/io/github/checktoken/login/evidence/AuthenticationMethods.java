package io.github.checktoken.login.evidence;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The authentication methods that a user has used. */
public record AuthenticationMethods(@JsonValue List<AuthenticationMethodUse> uses) {

    /** Multiple-factor authentication (RFC 8176 section 2). {@link #values} always computes it from the uses. */
    public static final String MFA = "mfa";

    /** Every value of {@link AuthenticationMethod}, and {@code mfa}. */
    public static final List<String> KNOWN_VALUES = Stream.concat(
                    Arrays.stream(AuthenticationMethod.values()).map(AuthenticationMethod::value), Stream.of(MFA))
            .toList();

    public static final AuthenticationMethods NONE = new AuthenticationMethods(List.of());

    @JsonCreator
    public AuthenticationMethods {
        uses = List.copyOf(uses);
    }

    /** Adds later uses. A later use replaces an earlier one of the same kind. */
    public AuthenticationMethods plus(AuthenticationMethods later) {
        Stream<AuthenticationMethodUse> remaining =
                uses.stream().filter(use -> later.uses.stream().noneMatch(use::isSameKind));
        return new AuthenticationMethods(
                Stream.concat(remaining, later.uses.stream()).distinct().toList());
    }

    /**
     * @param now in seconds since the epoch
     * @return the uses whose max age has not passed
     */
    public AuthenticationMethods validAt(long now) {
        return new AuthenticationMethods(
                uses.stream().filter(use -> use.isValidAt(now)).toList());
    }

    /** @param time in seconds since the epoch, inclusive */
    public AuthenticationMethods usedSince(long time) {
        return new AuthenticationMethods(
                uses.stream().filter(use -> use.time() >= time).toList());
    }

    /**
     * @return the {@code amr} values: each method once, and {@code mfa} if and only if two kinds of factor were proved
     */
    public Set<String> values() {
        Set<String> values = new LinkedHashSet<>();
        uses.stream()
                .map(AuthenticationMethodUse::method)
                .filter(method -> !method.equals(MFA))
                .forEach(values::add);
        if (isMultiFactor()) {
            values.add(MFA);
        }
        return values;
    }

    /**
     * Whether one of the methods shows that this user is at the browser. If no known credential was used, an
     * Authenticator Reference that is not in {@link AuthenticationMethod} does not show it.
     */
    public boolean identifiesUser() {
        return uses.stream()
                .map(AuthenticationMethodUse::proved)
                .flatMap(Optional::stream)
                .anyMatch(AuthenticationMethod::identifiesUser);
    }

    /**
     * Whether two kinds of factor were proved. With an Authenticator Reference, both the value in {@code amr} and the
     * credential that was used must say so: otherwise the reference alone could make two factors out of one.
     */
    private boolean isMultiFactor() {
        return uses.stream().anyMatch(AuthenticationMethodUse::multiFactor)
                || isSeveralFactors(use -> AuthenticationMethod.of(use.method()))
                        && isSeveralFactors(AuthenticationMethodUse::proved);
    }

    private boolean isSeveralFactors(Function<AuthenticationMethodUse, Optional<AuthenticationMethod>> method) {
        return uses.stream()
                        .map(method)
                        .flatMap(Optional::stream)
                        .map(AuthenticationMethod::factor)
                        .filter(factor -> factor != AuthenticationMethod.Factor.NONE)
                        .distinct()
                        .count()
                > 1;
    }
}
