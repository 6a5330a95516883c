package io.github.checktoken.bench;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.LoginCases;
import io.github.checktoken.bench.server.CryptoAlone;

/**
 * What a scenario may cost at most. A limit that is not met is reported and does not fail the run.
 *
 * @param comparedWith the scenarios of the same group whose processor times are added
 * @param most the greatest ratio of its processor time to that sum, by set-up, see {@code bench.limits}
 */
record Limit(String group, String name, List<String> comparedWith, Map<String, Double> most) {

    /** The limits of processor time that this project has set itself. That of p99 is in docs/measurements.md. */
    static final List<Limit> ALL = List.of(
            new Limit(
                    "main",
                    IntrospectionCases.RSA,
                    List.of(IntrospectionCases.NATIVE),
                    Map.of("jdk17", 2.8, "jdk25", 1.8, "recommended", 1.3)),
            new Limit(
                    "main",
                    IntrospectionCases.ECDH,
                    List.of(IntrospectionCases.NATIVE),
                    Map.of("jdk17", 3.4, "jdk25", 2.4, "recommended", 1.5)),
            new Limit(
                    "main",
                    IntrospectionCases.INACTIVE,
                    List.of(IntrospectionCases.NATIVE_INACTIVE, CryptoAlone.NAME),
                    Map.of("jdk17", 1.2, "jdk25", 1.2, "recommended", 1.2)),
            new Limit(
                    "login",
                    LoginCases.WITH_JAR,
                    List.of(LoginCases.WITHOUT_JAR),
                    Map.of("jdk17", 1.02, "jdk25", 1.02, "recommended", 1.02)));

    /** @return how many times the limit's sum the scenario costs; empty as long as one of them is not measured */
    OptionalDouble times(List<Row> rows) {
        Map<String, List<Measurement>> measured = rows.stream()
                .filter(row -> row.group().equals(group))
                .collect(Collectors.toMap(Row::name, Row::rounds, (first, second) -> first));
        return measured.containsKey(name) && measured.keySet().containsAll(comparedWith)
                ? OptionalDouble.of(Measurement.times(
                        measured.get(name),
                        comparedWith.stream().map(measured::get).toList()))
                : OptionalDouble.empty();
    }
}
