package io.github.checktoken.bench;

import java.util.List;
import java.util.Map;

import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.LoginCases;

/**
 * What a scenario may cost at most. A limit that is not met is reported and does not fail the run.
 *
 * @param most the greatest ratio of its processor time to its baseline's, by set-up, see {@code bench.limits}
 */
record Limit(String group, String name, Map<String, Double> most) {

    /** All limits that this project has set itself. */
    static final List<Limit> ALL = List.of(
            new Limit("main", IntrospectionCases.RSA, Map.of("jdk17", 2.8, "jdk25", 1.8, "recommended", 1.3)),
            new Limit("main", IntrospectionCases.ECDH, Map.of("jdk17", 3.4, "jdk25", 2.4, "recommended", 1.5)),
            new Limit("login", LoginCases.WITH_JAR, Map.of("jdk17", 1.02, "jdk25", 1.02, "recommended", 1.02)));

    /**
     * @param setUp a key of {@link #most}; any other has no limits
     * @return {@link Double#NaN} if there is no limit for that row
     */
    static double of(Row row, String setUp) {
        return ALL.stream()
                .filter(limit -> limit.group.equals(row.group()) && limit.name.equals(row.name()))
                .mapToDouble(limit -> limit.most.getOrDefault(setUp, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }
}
