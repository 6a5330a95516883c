package io.github.checktoken.bench;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.github.checktoken.bench.server.Footprint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Tag("bench")
class SoakLimitTest {

    private static final double RATE = 100;
    private static final Footprint FLAT = footprint(1000, 50, 200, 900);

    @Test
    void allLimitsAreMetIfNothingGrowsAndNothingFails() {
        assertEquals(List.of(), notMet(minute -> FLAT));
    }

    @Test
    void growthInTheFirstThirdIsAllowed() {
        assertEquals(List.of(), notMet(minute -> minute == 0 ? footprint(100, 5, 20, 90) : FLAT));
    }

    @Test
    void growthAfterTheFirstThirdIsReported() {
        assertEquals(
                List.of("heap", "threads", "open files", "largest client session"),
                notMet(minute -> footprint(1000 + 50 * minute, 50 + 2 * minute, 200 + 10 * minute, 900 + minute)));
    }

    @Test
    void oneLargeClientSessionIsReported() {
        assertEquals(
                List.of("largest client session"),
                notMet(minute -> minute == 5 ? footprint(1000, 50, 200, 901) : FLAT));
    }

    @Test
    void oneFailureIsReported() {
        assertEquals(List.of("failed calls"), notMet(sample(RATE, 1, FLAT)));
    }

    @Test
    void loadThatIsTooSlowIsReported() {
        assertEquals(List.of("answers a second fewer"), notMet(sample(RATE * 0.94, 0, FLAT)));
    }

    private static List<String> notMet(IntFunction<Footprint> footprints) {
        return notMet(IntStream.range(0, 9)
                .mapToObj(minute -> sample(RATE, 0, footprints.apply(minute)))
                .toList());
    }

    private static List<String> notMet(SoakSample sample) {
        return notMet(List.of(sample, sample, sample));
    }

    /** @return the beginnings of the names */
    private static List<String> notMet(List<SoakSample> samples) {
        List<String> names = List.of(
                "failed calls",
                "answers a second fewer",
                "heap",
                "threads",
                "open files",
                "largest user session",
                "largest client session");
        return SoakLimit.of(samples, RATE).stream()
                .filter(limit -> !limit.isMet())
                .map(limit -> names.stream()
                        .filter(limit.name()::startsWith)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private static SoakSample sample(double answersPerSecond, long failures, Footprint after) {
        return new SoakSample(answersPerSecond, 10, 0.8, 120, 600, 1, failures, after);
    }

    private static Footprint footprint(long heapBytes, int threads, int files, int clientSessionBytes) {
        return new Footprint(heapBytes, 2000, threads, files, 21, 500, clientSessionBytes);
    }
}
