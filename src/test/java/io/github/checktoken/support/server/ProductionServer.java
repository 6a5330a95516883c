package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.checktoken.support.client.Http;

/**
 * Keycloak in production mode ({@code kc.sh build}, then {@code kc.sh start --optimized}) from a new copy of the
 * distribution. The size of the heap is the one that {@code kc.sh} chooses.
 */
public final class ProductionServer implements KeycloakServer {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String STARTED = "Listening on:";

    private final List<String> launcher;
    private final Map<String, String> environment;
    private final List<String> arguments;
    private final Path home;
    private final Path log;
    private final int port = DistributionServer.freePort();
    private final Thread shutdown = new Thread(this::stop);
    private Process process;

    /**
     * Starts with a new and empty database, and waits until the server answers.
     *
     * @param folder where the copy and its log are
     * @param name the name of the copy and its log
     * @param jars the JAR of this project, and others for the same folder; empty for a Keycloak without them
     * @param arguments for {@code kc.sh start}, with those for the database, of which {@code --db} and those that choose
     *     providers are for the build
     * @param launcher a program that starts {@code kc.sh}, with its arguments; empty for none
     * @param environment further variables
     */
    public ProductionServer(
            Path folder,
            String name,
            List<Path> jars,
            List<String> arguments,
            List<String> launcher,
            Map<String, String> environment)
            throws IOException, InterruptedException {
        this.launcher = launcher;
        this.environment = environment;
        this.arguments = arguments;
        this.home = folder.resolve(name);
        this.log = folder.resolve(name + ".log");
        Files.deleteIfExists(log);
        copyDistribution();
        for (Path jar : jars) {
            Files.copy(jar, providers().resolve(jar.getFileName()));
            if (NativeCrypto.Condition.isEverywhere()) {
                Path conscrypt = Path.of(System.getProperty("conscrypt.jar"));
                Files.copy(conscrypt, providers().resolve(conscrypt.getFileName()));
            }
        }
        Runtime.getRuntime().addShutdownHook(shutdown);
        build();
        start();
    }

    /** The folder for JARs. A change counts after {@link #stop}, {@link #build} and {@link #start}. */
    public Path providers() {
        return home.resolve("providers");
    }

    /** @return the process id of Keycloak's JVM, which {@code kc.sh} starts as its child */
    public long pid() {
        return process.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow()
                .pid();
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
        Files.createDirectories(providers());
    }

    /** Runs {@code kc.sh build}, which an administrator does after a change of JARs. */
    public void build() throws IOException, InterruptedException {
        Process build = launch("build", arguments.stream().filter(ProductionServer::isForTheBuild));
        if (!build.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || build.exitValue() != 0) {
            build.destroyForcibly();
            throw new IllegalStateException("kc.sh build failed, see " + log);
        }
    }

    /** Starts what was built, and waits until the server answers. The log continues. */
    public void start() throws IOException, InterruptedException {
        long before = Files.size(log);
        process = launch(
                "start",
                Stream.concat(
                        arguments.stream().filter(argument -> !isForTheBuild(argument)),
                        Stream.of(
                                "--optimized",
                                "--http-enabled=true",
                                "--http-host=127.0.0.1",
                                "--http-port=" + port,
                                "--hostname=" + baseUrl(),
                                "--cache-embedded-network-bind-address=127.0.0.1")));
        awaitStart(before);
    }

    private static boolean isForTheBuild(String argument) {
        return argument.startsWith("--db=")
                || argument.startsWith("--health-enabled=")
                || argument.startsWith("--spi-authentication-sessions--")
                || argument.matches("--spi-.*--enabled=.*");
    }

    private Process launch(String command, Stream<String> arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Stream.of(
                                launcher.stream(),
                                Stream.of(home.resolve("bin/kc.sh").toString(), command),
                                arguments)
                        .flatMap(part -> part)
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("KC_BOOTSTRAP_ADMIN_USERNAME", ADMIN);
        builder.environment().put("KC_BOOTSTRAP_ADMIN_PASSWORD", ADMIN_PASSWORD);
        builder.environment().putAll(NO_SYSTEM_BUS);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** @param before the size of the log before this start, in bytes */
    private void awaitStart(long before) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!logAfter(before).contains(STARTED) || !isReady()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                stop();
                throw new IllegalStateException("Keycloak did not start, see " + log);
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    /** Its port may be open before. */
    private boolean isReady() {
        return Http.send(Http.request(realmUrl("master").toString())).statusCode() == 200;
    }

    /**
     * What the server has printed since then.
     *
     * @param before the size of the log then, in bytes
     */
    public String logAfter(long before) throws IOException {
        byte[] all = Files.readAllBytes(log);
        return new String(all, (int) before, all.length - (int) before, StandardCharsets.UTF_8);
    }

    /** Stops the server as an administrator does. */
    public void stop() {
        if (process == null) {
            return;
        }
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
}
