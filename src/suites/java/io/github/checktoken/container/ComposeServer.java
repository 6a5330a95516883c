package io.github.checktoken.container;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.server.KeycloakServer;

/**
 * What {@code docker-compose.yml} starts, as a project of its own, so that it does not touch the database of somebody who
 * tries the file out. The ports are those of the file, so they must be free.
 */
final class ComposeServer implements KeycloakServer {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String PROJECT = "checktoken-test";
    private static final Path FOLDER = Path.of("target", "compose");

    private final List<String> program;
    private final Thread shutdown = new Thread(this::remove);

    ComposeServer() throws IOException {
        Files.createDirectories(FOLDER);
        // Docker's own sub-command, or the older program of that name.
        program = run(List.of("docker", "compose", "version"), "version") == 0
                ? List.of("docker", "compose")
                : List.of("docker-compose");
        Runtime.getRuntime().addShutdownHook(shutdown);
        if (compose("up", "up", "--build", "--detach") != 0) {
            compose("services", "logs", "--no-color");
            close();
            throw new IllegalStateException(
                    "docker-compose.yml does not start, see up.log and services.log in " + FOLDER.toAbsolutePath());
        }
    }

    @Override
    public URI baseUrl() {
        return URI.create("http://localhost:8080");
    }

    /** It has no TLS. */
    @Override
    public URI secureUrl() {
        return baseUrl();
    }

    @Override
    public URI managementUrl() {
        throw new UnsupportedOperationException("The file does not publish the management port");
    }

    /** The mail catcher's own address. */
    URI mailUrl() {
        return URI.create("http://localhost:8025");
    }

    @Override
    public String addressOfThisHost(int port) {
        throw new UnsupportedOperationException("The containers do not reach ports of this machine");
    }

    @Override
    public String install(Path file, String path) {
        throw new UnsupportedOperationException("The image has its files from the build");
    }

    /** @return the exit status of the service that sets the mail server, as soon as it has ended */
    String mailSettingsStatus() throws IOException {
        compose("mail-settings", "ps", "--quiet", "--all", "mail-settings");
        String container = Files.readString(logOf("mail-settings")).strip();
        run(List.of("docker", "wait", container), "wait");
        return Files.readString(logOf("wait")).strip();
    }

    /** Answers of the management interface, which only the container itself can reach. */
    String management(String path) throws IOException {
        String get = "exec 3<>/dev/tcp/127.0.0.1/9000; printf 'GET " + path
                + " HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3; cat <&3";
        compose("management", "exec", "-T", "keycloak", "bash", "-c", get);
        return Files.readString(logOf("management"));
    }

    @Override
    public Path log() {
        return logOf("keycloak");
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        try {
            compose("keycloak", "logs", "--no-color", "keycloak", "mail-settings");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            remove();
        }
    }

    private void remove() {
        try {
            if (compose("down", "down", "--volumes") != 0) {
                throw new IllegalStateException("The containers are still there, see " + logOf("down"));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int compose(String log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("--project-name", PROJECT));
        command.addAll(List.of(arguments));
        return run(command, log);
    }

    /** @return the exit status */
    private static int run(List<String> command, String log) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(logOf(log).toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " takes too long");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }

    private static Path logOf(String command) {
        return FOLDER.resolve(command + ".log");
    }
}
