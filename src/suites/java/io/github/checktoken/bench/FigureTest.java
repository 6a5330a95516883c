package io.github.checktoken.bench;

import java.util.List;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Tag("bench")
class FigureTest {

    /** In the second round, the machine is three times as slow. The medians alone would give 3 and 4.5 times. */
    @Test
    void timesComparesWithinEachRound() {
        assertEquals(2, figure(2, 6, 6).times(List.of(figure(1, 3, 2))).median());
        assertEquals(
                1.5,
                figure(3, 9, 9).times(List.of(figure(1, 3, 1), figure(1, 3, 1))).median());
    }

    @Test
    void figureThatVariesByMoreThanATenthIsARange() {
        assertEquals("1.00", figure(0.96, 1, 1.05).text("%.2f"));
        assertEquals("0.95–1.06", figure(1, 1.06, 0.95).text("%.2f"));
        assertEquals("", figure(Double.NaN).text("%.2f"));
    }

    /** Standard error of 1.01, 1.02, 1.03: 0.01 / √3 = 0.00577. */
    @Test
    void differenceOfLoginsHasAnIntervalOverThePairsOfServers() {
        LoginDifference difference = new LoginDifference(List.of(1.01, 1.02, 1.03));
        assertEquals(2, difference.percent(), 1e-9);
        assertEquals(2 + 2.5 * 0.577, difference.upper(), 1e-3);
    }

    private static Figure figure(double... rounds) {
        return new Figure(DoubleStream.of(rounds).boxed().toList());
    }
}
