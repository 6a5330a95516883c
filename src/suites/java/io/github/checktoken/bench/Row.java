package io.github.checktoken.bench;

import java.util.List;

/**
 * The result for one scenario.
 *
 * @param ratio how often the processor time of the baseline fits into this scenario's, see {@link Measurement#times};
 *     NaN without a baseline
 */
record Row(String group, int size, String name, List<Measurement> rounds, double ratio) {

    Measurement median() {
        return Measurement.median(rounds);
    }
}
