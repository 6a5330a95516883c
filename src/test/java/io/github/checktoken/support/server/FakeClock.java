package io.github.checktoken.support.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;

/** The clock of a process, which a test sets while the process runs: libfaketime ({@code apt-get install faketime}). */
public final class FakeClock {

    private static final Path LIBRARIES = Path.of("/usr/lib");

    private final Path file = Files.createTempFile("checktoken-clock-", ".txt");

    public FakeClock() throws IOException {
        set(0);
    }

    /** @return the variables that a process with this clock needs */
    public Map<String, String> environment() throws IOException {
        return Map.of(
                "LD_PRELOAD", library(),
                "FAKETIME_TIMESTAMP_FILE", "" + file,
                "FAKETIME_CACHE_DURATION", "1",
                // Durations stay right, as they do when a clock is set.
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Otherwise the waits of a JVM end at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                // The times of files stay as they are, because Keycloak compares them.
                "NO_FAKE_STAT", "1");
    }

    /** Sets the clock; the process notices it within a second. */
    public void set(long secondsAhead) throws IOException {
        Path next = Files.writeString(Path.of(file + ".next"), "%+d".formatted(secondsAhead));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    public static String library() throws IOException {
        try (Stream<Path> files = Files.find(LIBRARIES, 3, (file, attributes) -> file.endsWith("libfaketime.so.1"))) {
            return files.findFirst()
                    .orElseThrow(() -> new AssertionError("libfaketime is missing: install Debian's package faketime"))
                    .toString();
        }
    }
}
