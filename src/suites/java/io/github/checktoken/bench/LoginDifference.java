package io.github.checktoken.bench;

import java.util.List;

import io.github.checktoken.bench.load.LoginCases;

/**
 * How much more processor time a login takes with the JAR, in a realm that uses nothing of it.
 *
 * @param ratios one of each pair of servers
 */
record LoginDifference(List<Double> ratios) {

    private static final double MOST_PERCENT = 2;

    /** From seven pairs on, so many standard errors are at least a 95 % interval. */
    private static final double STANDARD_ERRORS = 2.5;

    /** @return null before the second pair */
    static LoginDifference of(List<Row> rows) {
        List<Double> ratios = rows.stream()
                .filter(row -> row.name().equals(LoginCases.WITH_JAR))
                .map(row -> row.ratio().median())
                .toList();
        return ratios.size() < 2 ? null : new LoginDifference(ratios);
    }

    double percent() {
        return (mean() - 1) * 100;
    }

    double upper() {
        return percent() + margin();
    }

    String text() {
        return Report.number("%+.1f %%", percent())
                + Report.number(" (between %+.1f", percent() - margin())
                + Report.number(" and %+.1f %%)", upper())
                + Report.number("; it lies below **%.1f %%**.", upper())
                + Report.number(" At most %.0f %% more: ", MOST_PERCENT)
                + (upper() <= MOST_PERCENT ? "**met**" : "**not met**")
                + Report.number(
                        ". Each of the %d times that both servers were started gives one figure, the median over its rounds;",
                        ratios.size())
                + Report.number(" the interval is the mean of these figures ± %.1f standard errors.", STANDARD_ERRORS);
    }

    private double mean() {
        return ratios.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private double margin() {
        double squares = ratios.stream()
                .mapToDouble(ratio -> Math.pow(ratio - mean(), 2))
                .sum();
        return 100 * STANDARD_ERRORS * Math.sqrt(squares / (ratios.size() - 1) / ratios.size());
    }
}
