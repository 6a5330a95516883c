package io.github.checktoken.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The result for one scenario.
 *
 * @param ratio how often the processor time of the baseline fits into this scenario's; null without a baseline
 */
record Row(String group, int size, String name, List<Measurement> rounds, Figure ratio) {

    Figure figure(ToDoubleFunction<Measurement> value) {
        return Figure.of(rounds, value);
    }

    /** @return the name, in the groups that vary a size with the size */
    String title() {
        return (size == 0 ? "" : Report.number("%,d: ", size)) + name;
    }
}
