package io.github.checktoken.bench;

import java.util.List;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Tag("bench")
class MeasurementTest {

    /** In the second round, the machine is three times as slow. The medians alone would give 3 and 4.5 times. */
    @Test
    void timesComparesWithinEachRound() {
        assertEquals(2, Measurement.times(rounds(2, 6, 6), List.of(rounds(1, 3, 2))));
        assertEquals(1.5, Measurement.times(rounds(3, 9, 9), List.of(rounds(1, 3, 1), rounds(1, 3, 1))));
    }

    private static List<Measurement> rounds(double... cpu) {
        return DoubleStream.of(cpu).mapToObj(Measurement::ofProcessor).toList();
    }
}
