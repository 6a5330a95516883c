package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a command printed before it ended.
 *
 * @param status 0 if it succeeded
 */
record ExampleRun(int status, String output, String errors) {

    /** Builds a project of its own: a reader copies it, and Spring is no dependency of this one. */
    static final String SPRING_BUILD = "mvn -q -B -ntp package";

    private static final int LIMIT_SECONDS = 180;

    static ExampleRun of(String command, Path folder) {
        return of(command, folder, Map.of(), "", List.of());
    }

    static ExampleRun of(
            String command, Path folder, Map<String, String> environment, String input, List<String> arguments) {
        try {
            Path files = ExampleFiles.newFolder("run-");
            Path output = files.resolve("output");
            Path errors = files.resolve("errors");
            Process process = process(command, folder, environment, arguments)
                    .redirectInput(
                            Files.writeString(files.resolve("input"), input).toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(command + " took more than " + LIMIT_SECONDS + " s");
            }
            return new ExampleRun(process.exitValue(), Files.readString(output), Files.readString(errors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A process that runs a command line in a shell. Debian's interpreters come first, because the libraries that the
     * tests ask for are Debian's too.
     */
    static ProcessBuilder process(
            String command, Path folder, Map<String, String> environment, List<String> arguments) {
        List<String> line = new ArrayList<>(List.of("bash", "-c", command + " \"$@\"", "bash"));
        line.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(line).directory(folder.toFile());
        process.environment().merge("PATH", "/usr/bin", (path, debian) -> debian + ":" + path);
        process.environment().putAll(environment);
        return process;
    }

    ExampleRun expectSuccess() {
        if (status != 0) {
            throw new AssertionError("Ended with " + status + ": " + errors + output);
        }
        return this;
    }
}
