package io.github.checktoken.fuzz;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Checks that a property holds for hostile input. {@code mvn verify} runs the same {@value #FIXED_CASES} cases each
 * time. {@code mvn verify -Dsuite=fuzz} runs a million; {@code -Dfuzz.cases} and {@code -Dfuzz.seed} choose others. A failing
 * input is reduced as far as possible and printed with the seed.
 */
public final class Fuzz {

    private static final int FIXED_CASES = 2_000;
    private static final int CASES =
            Integer.getInteger("fuzz.cases", "fuzz".equals(System.getProperty("suite")) ? 1_000_000 : FIXED_CASES);
    private static final long SEED = Long.getLong("fuzz.seed", 1);

    /**
     * The time that one case may take, which may be several calls. Because the machine may pause, a case fails only if
     * it takes longer {@value #TIMES} times in a row.
     */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static final int TIMES = 5;

    /** How many smaller inputs are tried to reduce a failing one. */
    private static final int SHRINKING = 3_000;

    private static final JsonMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final FuzzTarget share;
    private final Function<HostileInput, List<String>> generator;
    private final Consumer<List<String>> property;
    private final AtomicLong slowest = new AtomicLong();

    private Fuzz(FuzzTarget share, Function<HostileInput, List<String>> generator, Consumer<List<String>> property) {
        this.share = share;
        this.generator = generator;
        this.property = property;
    }

    /**
     * Runs the cases in this thread.
     *
     * @param property throws if it does not hold for an input
     */
    public static void check(
            FuzzTarget share, Function<HostileInput, List<String>> generator, Consumer<List<String>> property) {
        new Fuzz(share, generator, property).run(1);
    }

    /** Runs the cases in several threads. */
    static void check(
            int threads,
            FuzzTarget share,
            Function<HostileInput, List<String>> generator,
            Consumer<List<String>> property) {
        new Fuzz(share, generator, property).run(threads);
    }

    private void run(int threads) {
        int cases = share.of(CASES);
        long start = System.nanoTime();
        AtomicInteger next = new AtomicInteger();
        ConcurrentSkipListMap<Integer, Throwable> failures = new ConcurrentSkipListMap<>();
        Runnable some = () -> {
            for (int i = next.getAndIncrement(); i < cases && failures.isEmpty(); i = next.getAndIncrement()) {
                Throwable failure = failure(input(i));
                if (failure != null) {
                    failures.put(i, failure);
                }
            }
        };
        runAll(IntStream.range(1, threads).mapToObj(i -> new Thread(some)).toList(), some);
        if (CASES != FIXED_CASES) {
            System.out.printf(
                    "fuzz: %s, %d cases, seed %d, %d s, slowest %d ms%n",
                    share,
                    Math.min(next.get(), cases),
                    SEED,
                    Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                    Duration.ofNanos(slowest.get()).toMillis());
        }
        if (!failures.isEmpty()) {
            fail(failures.firstKey(), failures.firstEntry().getValue());
        }
    }

    private static void runAll(List<Thread> others, Runnable here) {
        others.forEach(Thread::start);
        here.run();
        try {
            for (Thread other : others) {
                other.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> input(int number) {
        long seed = SEED * 1_000_003 + share.name().hashCode();
        return generator.apply(new HostileInput(seed * 1_000_003 + number));
    }

    private void fail(int number, Throwable failure) {
        List<String> smallest = shrink(input(number), failure.getClass());
        Throwable last = failure(smallest);
        throw new AssertionError(
                "%s, seed %d, case %d: %s%nfor %s"
                        .formatted(share, SEED, number, last == null ? failure : last, printable(smallest)),
                last == null ? failure : last);
    }

    /** @return what the property throws for the input, an error if it takes too long, or null if it holds */
    private Throwable failure(List<String> input) {
        for (int i = 0; i < TIMES; i++) {
            long start = time();
            try {
                property.accept(input);
            } catch (RuntimeException | Error e) {
                return e;
            }
            long time = time() - start;
            if (time < LIMIT.toNanos()) {
                slowest.accumulateAndGet(time, Math::max);
                return null;
            }
        }
        return new AssertionError("took more than " + LIMIT + ", " + TIMES + " times in a row");
    }

    /**
     * @return nanoseconds: the time on the clock if the case calls a server, otherwise the CPU time of this thread, so
     *     that a busy machine does not make a case fail
     */
    private long time() {
        return share.isCall()
                ? System.nanoTime()
                : ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Removes as much of each part as it can while the property still throws the same class. */
    private List<String> shrink(List<String> input, Class<?> failure) {
        List<String> smallest = new ArrayList<>(input);
        int tries = SHRINKING;
        for (int part = 0; part < smallest.size(); part++) {
            for (int size = smallest.get(part).length(); size >= 1; size /= 2) {
                for (int from = 0; from < smallest.get(part).length() && tries > 0; tries--) {
                    String text = smallest.get(part);
                    List<String> fewer = new ArrayList<>(smallest);
                    fewer.set(part, text.substring(0, from) + text.substring(Math.min(text.length(), from + size)));
                    Throwable now = failure(fewer);
                    if (now != null && now.getClass() == failure) {
                        smallest = fewer;
                    } else {
                        from += size;
                    }
                }
            }
        }
        return smallest;
    }

    private static String printable(List<String> input) {
        return input.stream()
                .map(part -> {
                    try {
                        return ASCII.writeValueAsString(part);
                    } catch (JsonProcessingException e) {
                        // Jackson rejects a lone surrogate.
                        return part.chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining("", "\"", "\""));
                    }
                })
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
