package io.github.checktoken.support.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Keycloak's distribution, which the build has unpacked, in a process of its own on free ports. */
public final class DistributionServer implements KeycloakServer {

    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(20_000, 30_000));

    private final Path home;
    private final Path log;
    private final int port;
    private final int securePort = freePort();
    private final int managementPort = freePort();
    private final Thread shutdown = new Thread(this::stop);
    private final Database database;
    private final List<String> arguments;
    private final Map<String, String> environment;
    private final Consumer<String> onLine;
    private volatile Process process;

    /**
     * Starts with a new embedded database, and waits until the server answers.
     *
     * @param arguments further arguments for {@code kc.sh start-dev}
     * @param onLine gets every line of the server's log
     */
    public DistributionServer(List<String> arguments, Consumer<String> onLine) throws IOException {
        this(0, arguments, onLine);
    }

    /** @param port where the server listens; 0 for any free port */
    public DistributionServer(int port, List<String> arguments, Consumer<String> onLine) throws IOException {
        this(
                "keycloak",
                home(),
                jar(),
                NativeCrypto.Condition.isEverywhere(),
                new Database(home()),
                port,
                arguments,
                Map.of(),
                onLine);
    }

    private DistributionServer(
            String name,
            Path home,
            Path jar,
            boolean nativeCrypto,
            Database database,
            int port,
            List<String> arguments,
            Map<String, String> environment,
            Consumer<String> onLine)
            throws IOException {
        this.port = port == 0 ? freePort() : port;
        this.home = home;
        this.log = home().resolveSibling(name + ".log");
        this.database = database;
        this.arguments = arguments;
        this.environment = environment;
        this.onLine = onLine;
        install(jar, "providers/" + jar().getFileName());
        installConscrypt(nativeCrypto);
        ProviderJar.install(home.resolve("providers"));
        installRealms();
        Files.deleteIfExists(log);
        Runtime.getRuntime().addShutdownHook(shutdown);
        start();
    }

    /**
     * Starts a node of a cluster, and waits until it answers.
     *
     * @param name the name of its log
     * @param arguments further arguments, including those for the database and the cluster
     */
    public static DistributionServer node(String name, List<String> arguments) throws IOException {
        return node(name, arguments, Map.of());
    }

    /** Starts a node like {@link #node(String, List)}, with further environment variables. */
    public static DistributionServer node(String name, List<String> arguments, Map<String, String> environment)
            throws IOException {
        return node(name, arguments, environment, line -> {});
    }

    /** @param onLine gets every line of the node's log */
    public static DistributionServer node(
            String name, List<String> arguments, Map<String, String> environment, Consumer<String> onLine)
            throws IOException {
        return new DistributionServer(name, home(), jar(), false, null, 0, arguments, environment, onLine);
    }

    /** Starts a node like {@link #node(String, List)}, from a copy of the distribution that has another JAR of this project. */
    public static DistributionServer nodeWith(Path otherJar, String name, List<String> arguments) throws IOException {
        return new DistributionServer(name, copy(name), otherJar, false, null, 0, arguments, Map.of(), line -> {});
    }

    /** Starts a node like {@link #node(String, List)}, from a copy of the distribution that has Conscrypt beside the JAR. */
    public static DistributionServer nodeWithNativeCrypto(String name, List<String> arguments) throws IOException {
        return new DistributionServer(name, copy(name), jar(), true, null, 0, arguments, Map.of(), line -> {});
    }

    /** Starts a server like the constructor, from a distribution of its own that has Conscrypt beside the JAR. */
    static DistributionServer withNativeCrypto(Path home, List<String> arguments) throws IOException {
        return new DistributionServer(
                "keycloak-native", home, jar(), true, new Database(home), 0, arguments, Map.of(), line -> {});
    }

    /** Leaves out the data, which a running server changes. */
    static Path copy(String name) {
        Path copy = home().resolveSibling(name);
        try (Stream<Path> files = Files.walk(home())) {
            for (Path file : files.filter(file -> !file.startsWith(home().resolve("data")))
                    .toList()) {
                Path target = copy.resolve(home().relativize(file));
                if (!Files.isDirectory(target)) {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return copy;
    }

    /**
     * Exports a realm with all its people as an administrator does, but from a copy of the distribution, because the
     * export builds that one anew.
     */
    public String export(String realm) throws IOException {
        Path copy = copy("keycloak-export");
        Path file = copy.resolve(realm + ".json");
        Path output = copy.resolve("export.log");
        List<String> command = new ArrayList<>(
                List.of(program(copy), "export", "--realm=" + realm, "--file=" + file.toAbsolutePath()));
        command.addAll(database.arguments());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(NO_SYSTEM_BUS);
        if (builder.start().onExit().join().exitValue() != 0) {
            throw new IllegalStateException(Files.readString(output));
        }
        return Files.readString(file);
    }

    private static String program(Path home) {
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows");
        return home.resolve(windows ? "bin/kc.bat" : "bin/kc.sh").toString();
    }

    /** Uses the name, because without TLS browsers allow WebAuthn on {@code localhost}, but not on an IP address. */
    @Override
    public URI baseUrl() {
        return URI.create("http://localhost:" + port);
    }

    @Override
    public URI secureUrl() {
        return URI.create("https://localhost:" + securePort);
    }

    @Override
    public URI managementUrl() {
        return URI.create("http://localhost:" + managementPort);
    }

    @Override
    public String addressOfThisHost(int port) {
        return "127.0.0.1:" + port;
    }

    @Override
    public Path log() {
        return log;
    }

    /** @return a file of one of the modules that this server consists of */
    public byte[] moduleFile(String module, String file) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(
                        home.resolve("lib/lib/main"), "org.keycloak." + module + "-[0-9]*.jar");
                JarFile jar = new JarFile(jars.iterator().next().toFile())) {
            JarEntry entry = jar.getJarEntry(file);
            if (entry == null) {
                throw new NoSuchFileException(file);
            }
            return jar.getInputStream(entry).readAllBytes();
        }
    }

    /** @return the embedded database; null for a node of a cluster */
    public Database database() {
        return database;
    }

    /** @return the process id of Keycloak's JVM */
    public long pid() {
        return all().stream()
                .filter(each -> each.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the server as {@code kill -9} does: it cannot say goodbye to anybody. */
    public void kill() {
        List<ProcessHandle> all = all();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(handle -> handle.onExit().join());
    }

    /** Starts the server again after {@link #kill} or {@link #stop}, on the same ports. Its log continues. */
    public void start() throws IOException {
        process = launch();
        Process launched = process;
        ServerStart start = new ServerStart(launched, log);
        Thread reader = new Thread(() -> copyLog(launched, start), "keycloak-log");
        reader.setDaemon(true);
        reader.start();
        await(start);
    }

    /** Puts the JAR that this build has made in the place of another one. The server must be stopped meanwhile. */
    public void update() throws IOException {
        install(jar(), "providers/" + jar().getFileName());
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        stop();
    }

    /** Removes it otherwise, because an earlier run may have left it there. */
    private void installConscrypt(boolean wanted) throws IOException {
        Path conscrypt = Path.of(required("conscrypt.jar"));
        String path = "providers/" + conscrypt.getFileName();
        if (wanted) {
            install(conscrypt, path);
        } else {
            Files.deleteIfExists(home.resolve(path));
        }
    }

    /** Copies the demo realms to {@code data/import/}. */
    private void installRealms() throws IOException {
        try (Stream<Path> realms = Files.list(Path.of(required("realm.export")))) {
            for (Path realm :
                    realms.filter(file -> file.toString().endsWith(".json")).toList()) {
                install(realm, "data/import/" + realm.getFileName());
            }
        }
    }

    @Override
    public String install(Path file, String path) throws IOException {
        Path target = home.resolve(path);
        Files.createDirectories(target.getParent());
        // Keeps the time of the file, because Keycloak builds itself again if the time of a provider has changed.
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        return target.toAbsolutePath().toString();
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program(home),
                "start-dev",
                "--import-realm",
                "--http-host=127.0.0.1",
                "--http-port=" + port,
                "--https-port=" + securePort,
                "--http-management-port=" + managementPort));
        if (database != null) {
            command.addAll(database.arguments());
        }
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_APPEND", System.getProperty("keycloak.java.options", ""));
        builder.environment().put("KC_BOOTSTRAP_ADMIN_USERNAME", ADMIN);
        builder.environment().put("KC_BOOTSTRAP_ADMIN_PASSWORD", ADMIN_PASSWORD);
        builder.environment().put(BASE_URL_VARIABLE, baseUrl().toString());
        builder.environment().putAll(NO_SYSTEM_BUS);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void copyLog(Process launched, ServerStart start) {
        try (BufferedReader lines = launched.inputReader();
                Writer copy = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line + System.lineSeparator());
                copy.flush();
                if (start.take(line)) {
                    onLine.accept(line);
                }
            }
        } catch (IOException e) {
            // The process has ended.
        }
    }

    private void await(ServerStart start) {
        try {
            Optional<String> failure = start.await();
            if (failure.isPresent()) {
                stop();
                throw new IllegalStateException(failure.get());
            }
        } catch (InterruptedException e) {
            stop();
            throw new IllegalStateException("Interrupted while Keycloak started", e);
        }
    }

    /** Stops the server as an administrator does: it ends the calls that it has begun. */
    public void stop() {
        List<ProcessHandle> all = all();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle handle : all) {
            try {
                handle.onExit().get(15, TimeUnit.SECONDS);
            } catch (Exception e) {
                handle.destroyForcibly();
            }
        }
    }

    private List<ProcessHandle> all() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
    }

    private static Path home() {
        return Path.of(required("keycloak.home"));
    }

    /** The JAR that users deploy. */
    private static Path jar() {
        return Path.of(required("checktoken.jar"));
    }

    private static String required(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException("Run this through Maven: the property " + property + " is not set");
        }
        return value;
    }

    /**
     * Gives no port twice. The ports are below those that operating systems give to outgoing connections, because such a
     * connection could take the port before the server listens.
     */
    public static int freePort() {
        while (true) {
            int port = NEXT_PORT.getAndIncrement();
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (BindException e) {
                // Another process listens on it.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
