package io.github.checktoken.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.github.checktoken.bench.load.PeerIntrospection;
import io.github.checktoken.bench.server.CryptoAlone;

import static io.github.checktoken.bench.load.IntrospectionCases.ECDH;
import static io.github.checktoken.bench.load.IntrospectionCases.ES256_TOKEN;
import static io.github.checktoken.bench.load.IntrospectionCases.INACTIVE;
import static io.github.checktoken.bench.load.IntrospectionCases.LIGHTWEIGHT_TOKEN;
import static io.github.checktoken.bench.load.IntrospectionCases.NATIVE;
import static io.github.checktoken.bench.load.IntrospectionCases.NATIVE_INACTIVE;
import static io.github.checktoken.bench.load.IntrospectionCases.RS256;
import static io.github.checktoken.bench.load.IntrospectionCases.RSA;
import static io.github.checktoken.bench.server.BenchServer.WITH_CONSCRYPT;

/**
 * What a scenario of the groups {@code main} and {@code tokens} may cost at most. A limit that is not met is reported and does not fail the
 * run.
 *
 * @param jdk the version of the JDK for which it counts
 * @param what the name of the figure
 * @param most the greatest ratio of its figure to the sum of those with which it is compared
 */
record Limit(
        int jdk,
        String what,
        ToDoubleFunction<Measurement> figure,
        String name,
        double most,
        List<String> comparedWith) {

    /** The limits that this project has set itself. Without Conscrypt, they are what an answer cost before. */
    static final List<Limit> ALL = List.of(
            cpu(17, RSA + WITH_CONSCRYPT, 1.15, NATIVE + WITH_CONSCRYPT),
            cpu(17, ECDH + WITH_CONSCRYPT, 1.3, NATIVE + WITH_CONSCRYPT),
            cpu(17, RS256 + WITH_CONSCRYPT, 1.9, NATIVE + WITH_CONSCRYPT),
            cpu(
                    17,
                    INACTIVE + WITH_CONSCRYPT,
                    1.15,
                    NATIVE_INACTIVE + WITH_CONSCRYPT,
                    CryptoAlone.NAME + WITH_CONSCRYPT),
            new Limit(17, "p99", Measurement::p99, RSA + WITH_CONSCRYPT, 1.25, List.of(NATIVE + WITH_CONSCRYPT)),
            cpu(17, RSA + WITH_CONSCRYPT, 1, PeerIntrospection.NAME),
            cpu(17, RSA + ES256_TOKEN + WITH_CONSCRYPT, 0.4, NATIVE + ES256_TOKEN + WITH_CONSCRYPT),
            cpu(17, RSA + LIGHTWEIGHT_TOKEN + WITH_CONSCRYPT, 1.1, NATIVE + LIGHTWEIGHT_TOKEN + WITH_CONSCRYPT),
            cpu(17, RSA, 2.2, NATIVE),
            cpu(17, ECDH, 2.8, NATIVE),
            cpu(17, RS256, 2.9, NATIVE),
            cpu(17, INACTIVE, 5.9, NATIVE_INACTIVE),
            cpu(25, RSA + WITH_CONSCRYPT, 1.2, NATIVE + WITH_CONSCRYPT));

    private static Limit cpu(int jdk, String name, double most, String... comparedWith) {
        return new Limit(jdk, "CPU", Measurement::cpu, name, most, Arrays.asList(comparedWith));
    }

    /** @return a line for the report; empty as long as one of the scenarios is not measured */
    Optional<String> judge(List<Row> rows) {
        Map<String, Figure> measured = rows.stream()
                .filter(row -> List.of("main", "tokens").contains(row.group()))
                .collect(Collectors.toMap(Row::name, row -> row.figure(figure)));
        if (!measured.containsKey(name) || !measured.keySet().containsAll(comparedWith)) {
            return Optional.empty();
        }
        Figure times = measured.get(name)
                .times(comparedWith.stream().map(measured::get).toList());
        return Optional.of("| %s | %s of %s | %s | %s | %s |%n"
                .formatted(
                        name,
                        what,
                        String.join(" + ", comparedWith),
                        Report.number("%.2f", most),
                        times.text("%.2f"),
                        times.median() <= most ? "met" : "**not met**"));
    }
}
