package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that serves until it is closed. */
public final class RunningExample implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(180);

    private final String command;
    private final Process process;
    private final Path log;

    public RunningExample(String command, Path folder, Map<String, String> environment) {
        this.command = command;
        try {
            log = ExampleFiles.newFile("program-", ".log");
            process = ExampleRun.process("exec " + command, folder, environment, List.of())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the first group of the first match in what it has printed, as soon as there is one */
    public String await(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            boolean alive = process.isAlive();
            Matcher matcher = compiled.matcher(printed());
            if (matcher.find()) {
                return matcher.group(1);
            }
            if (!alive || System.nanoTime() > end) {
                throw new AssertionError(command + " did not print " + pattern + ":\n" + printed());
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    String printed() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
