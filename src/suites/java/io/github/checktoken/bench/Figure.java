package io.github.checktoken.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * One figure as each round gave it.
 *
 * @param rounds the values in the order of the rounds; NaN where nothing is known
 */
record Figure(List<Double> rounds) {

    /** A figure whose greatest and smallest value differ by more than this share of the median is printed as a range. */
    private static final double VARIES = 0.1;

    static <T> Figure of(List<T> rounds, ToDoubleFunction<T> value) {
        return new Figure(rounds.stream().map(value::applyAsDouble).toList());
    }

    /**
     * Compares within each round, because the machine can become faster or slower from one round to the next.
     *
     * @param others are added
     * @return how often the others fit into this figure
     */
    Figure times(List<Figure> others) {
        return new Figure(IntStream.range(0, rounds.size())
                .mapToObj(round -> rounds.get(round)
                        / others.stream()
                                .mapToDouble(other -> other.rounds.get(round))
                                .sum())
                .toList());
    }

    double median() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** @return the median, a range if the rounds vary, or nothing if it is not known */
    String text(String format) {
        List<Double> sorted = rounds.stream().sorted().toList();
        double least = sorted.get(0);
        double greatest = sorted.get(sorted.size() - 1);
        if (Double.isNaN(greatest)) {
            return "";
        }
        return greatest - least > VARIES * median()
                ? Report.number(format, least) + "–" + Report.number(format, greatest)
                : Report.number(format, median());
    }
}
