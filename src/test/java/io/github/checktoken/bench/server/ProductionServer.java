package io.github.checktoken.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.checktoken.support.server.KeycloakServer;

/**
 * Keycloak in production mode ({@code kc.sh build}, then {@code kc.sh start --optimized}), from a new copy of the
 * distribution. The size of the heap is the one that {@code kc.sh} chooses. The JVM is set up for as many processors as
 * {@code bench.server.cpus} names, but may use those of the load too until {@link #keepOnItsProcessors}, because its
 * compiler would otherwise need many minutes.
 */
public final class ProductionServer implements KeycloakServer {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String STARTED = "Listening on:";

    private final BenchSettings settings;
    private final Path home;
    private final Path log;
    private final int port = freePort();
    private final Process process;
    private final Thread shutdown = new Thread(this::stop);

    /**
     * @param name the name of its folder and its log
     * @param jar the JAR of this project; null for a Keycloak without it
     * @param database the arguments for {@code kc.sh start}, of which {@code --db} is for the build too
     */
    public ProductionServer(BenchSettings settings, Path folder, String name, Path jar, List<String> database)
            throws IOException, InterruptedException {
        this.settings = settings;
        this.home = folder.resolve(name);
        this.log = folder.resolve(name + ".log");
        Files.deleteIfExists(log);
        copyDistribution();
        if (jar != null) {
            Files.copy(jar, home.resolve("providers").resolve(jar.getFileName()));
        }
        build();
        process = start(database);
        Runtime.getRuntime().addShutdownHook(shutdown);
        awaitStart();
    }

    /** @return the process id of Keycloak's JVM, which {@code kc.sh} starts as its child */
    public long pid() {
        return process.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** Ends the warm-up: from now on the server does not use the processors of the load. */
    public void keepOnItsProcessors() throws IOException, InterruptedException {
        Processors.keep(pid(), settings.serverCpus());
    }

    @Override
    public URI baseUrl() {
        return URI.create("http://localhost:" + port);
    }

    /** It has no TLS: a proxy does that in front of it. */
    @Override
    public URI secureUrl() {
        return baseUrl();
    }

    @Override
    public URI managementUrl() {
        throw new UnsupportedOperationException("The management interface is off");
    }

    @Override
    public String addressOfThisHost(int port) {
        return "127.0.0.1:" + port;
    }

    @Override
    public String install(Path file, String path) {
        throw new UnsupportedOperationException("The server is built before it starts");
    }

    @Override
    public Path log() {
        return log;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        stop();
    }

    private void copyDistribution() throws IOException {
        if (Files.exists(home)) {
            try (Stream<Path> old = Files.walk(home)) {
                for (Path file : old.sorted((a, b) -> b.getNameCount() - a.getNameCount())
                        .toList()) {
                    Files.delete(file);
                }
            }
        }
        Path distribution = Path.of(System.getProperty("keycloak.home"));
        for (String part : List.of("bin", "conf", "lib", "providers", "version.txt")) {
            try (Stream<Path> files = Files.walk(distribution.resolve(part))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    // The tests of other profiles put this project's JAR into the same distribution.
                    if (part.equals("providers") && file.toString().endsWith(".jar")) {
                        continue;
                    }
                    Path target = home.resolve(distribution.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Files.createDirectories(home.resolve("providers"));
    }

    private void build() throws IOException, InterruptedException {
        Process build = launch("build", List.of("--db=postgres"));
        if (!build.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || build.exitValue() != 0) {
            build.destroyForcibly();
            throw new IllegalStateException("kc.sh build failed, see " + log);
        }
    }

    private Process start(List<String> database) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(database);
        arguments.remove("--db=postgres");
        arguments.addAll(List.of(
                "--optimized",
                "--http-enabled=true",
                "--http-host=127.0.0.1",
                "--http-port=" + port,
                "--hostname=" + baseUrl(),
                "--cache-embedded-network-bind-address=127.0.0.1"));
        return launch("start", arguments);
    }

    private Process launch(String command, List<String> arguments) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(Processors.on(
                settings.serverCpus() + "," + settings.loadCpus(),
                home.resolve("bin/kc.sh").toString(),
                command));
        whole.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("JAVA_HOME", settings.javaHome());
        builder.environment()
                .put(
                        "JAVA_OPTS_APPEND",
                        "-XX:ActiveProcessorCount=" + Processors.count(settings.serverCpus()) + " "
                                + settings.javaOptions());
        builder.environment().put("KC_BOOTSTRAP_ADMIN_USERNAME", ADMIN);
        builder.environment().put("KC_BOOTSTRAP_ADMIN_PASSWORD", ADMIN_PASSWORD);
        return builder.start();
    }

    private void awaitStart() throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!Files.readString(log).contains(STARTED)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                stop();
                throw new IllegalStateException("Keycloak did not start, see " + log);
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private void stop() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle handle : all) {
            try {
                handle.onExit().get(15, TimeUnit.SECONDS);
            } catch (Exception e) {
                handle.destroyForcibly();
            }
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
