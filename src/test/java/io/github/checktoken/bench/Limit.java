package io.github.checktoken.bench;

import java.util.List;

import io.github.checktoken.bench.load.IntrospectionCases;

/**
 * What a scenario may cost at most. A limit that is not met is reported and does not fail the run.
 *
 * @param most the greatest ratio of its processor time to its baseline's
 */
record Limit(String group, String name, double most) {

    /** All limits that this project has set itself. */
    static final List<Limit> ALL = List.of(new Limit("main", IntrospectionCases.RSA, 2.8));

    /** @return null if this is no limit for that row */
    static Limit of(Row row) {
        return ALL.stream()
                .filter(limit -> limit.group.equals(row.group()) && limit.name.equals(row.name()))
                .findFirst()
                .orElse(null);
    }

    boolean isMet(Row row) {
        return row.ratio() <= most;
    }
}
