package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.checktoken.support.server.KeycloakServer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A Keycloak that is installed with the commands of {@code docs/production.md} and with {@code
 * docs/examples/keycloak.conf}.
 */
final class InstalledServer implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Path PAGE = Path.of("docs/production.md");
    private static final String START = "bin/kc.sh start --optimized";

    private final Path home;
    private final Path log;
    private final Map<String, String> environment = new HashMap<>(KeycloakServer.NO_SYSTEM_BUS);
    private Process process;

    /**
     * Unpacks Keycloak, and gets the files that an administrator gets.
     *
     * @param folder where the installation and its log are
     * @param settings the changed example
     */
    InstalledServer(Path folder, String settings) throws IOException, InterruptedException {
        home = folder.resolve("keycloak");
        log = folder.resolve("keycloak.log");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("KC_DB_PASSWORD", "any");
        Path distribution = Path.of(System.getProperty("keycloak.home"));
        succeed(folder, "mkdir keycloak && cp -a " + distribution + "/{bin,conf,lib,version.txt} keycloak");
        Files.createDirectories(home.resolve("providers"));
        for (String jar : List.of("checktoken.jar", "conscrypt.jar")) {
            Path file = Path.of(System.getProperty(jar));
            Files.copy(file, home.resolve(file.getFileName()));
        }
        Files.writeString(home.resolve("keycloak.conf"), settings);
    }

    /** Runs all commands but the last one, with which {@link #start} begins. */
    void install() throws IOException, InterruptedException {
        String commands = MarkdownBlocks.of(PAGE).stream()
                .filter(block -> block.section().equals("Install it on a server"))
                .findFirst()
                .orElseThrow()
                .text();
        succeed(
                home,
                replace(
                        replace(replace(commands, START, ""), "read -rs KC_DB_PASSWORD && export KC_DB_PASSWORD", ""),
                        "--username " + KeycloakServer.ADMIN,
                        "--username " + KeycloakServer.ADMIN + " --no-prompt --password:env=KC_CLI_PASSWORD"));
    }

    private static String replace(String text, String old, String replacement) {
        if (!text.contains(old)) {
            throw new AssertionError("no “" + old + "” in " + text);
        }
        return text.replace(old, replacement);
    }

    private void succeed(Path folder, String commands) throws IOException, InterruptedException {
        Bash.Result result = Bash.run(folder, environment, "-euc", commands);
        assertEquals(0, result.status(), result.output());
    }

    /** Starts the process. {@link #isReady} says whether it is more than that. */
    void start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "exec " + START)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /** @return whether the log says that the server has started and can be used; fails if it never will */
    boolean isReady(long startedAtNanos) throws IOException {
        if (!process.isAlive() || System.nanoTime() - startedAtNanos > LIMIT.toNanos()) {
            throw new AssertionError(Files.readString(log));
        }
        return Files.readString(log).contains("Bootstrap completed");
    }

    Path log() {
        return log;
    }

    @Override
    public void close() throws InterruptedException {
        if (process == null) {
            return;
        }
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
