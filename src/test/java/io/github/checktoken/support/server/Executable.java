package io.github.checktoken.support.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Finds a program that some tests need and that not every machine has. */
public final class Executable {

    private Executable() {}

    /** @return the first of these names that is on the PATH */
    public static Optional<Path> find(String... names) {
        List<Path> folders = Pattern.compile(Pattern.quote(System.getProperty("path.separator")))
                .splitAsStream(System.getenv("PATH"))
                .map(Path::of)
                .toList();
        return Arrays.stream(names)
                .flatMap(name -> Stream.of(name, name + ".exe"))
                .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Ends the test. It is skipped on a developer's machine, and fails if {@code CI=true}, where all tests must run.
     */
    public static <T> T isMissing(String message) {
        return "true".equals(System.getenv("CI")) ? Assertions.fail(message) : Assumptions.abort(message);
    }
}
