package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the MariaDB that is installed on this machine ({@code apt-get install mariadb-server}), with a new and empty
 * database, on a free port. It reads no file of settings, so it has MariaDB's own defaults.
 */
public final class MariaDbServer implements DatabaseServer {

    private static final String USER = "keycloak";
    private static final String PASSWORD = "mariadb-demo-password";
    private static final String DATABASE = "keycloak";
    private static final int TRIES = 300;

    private final Path folder;
    private final int port;
    private Process process;

    public MariaDbServer() throws IOException {
        folder = Files.createTempDirectory("checktoken-mariadb-");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        run(
                "mariadb-install-db",
                "--no-defaults",
                "--datadir=" + data(),
                "--user=" + System.getProperty("user.name"),
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        start();
        execute("CREATE DATABASE %s CHARACTER SET utf8mb4".formatted(DATABASE));
        execute("GRANT ALL ON %s.* TO '%s'@'localhost' IDENTIFIED BY '%s'".formatted(DATABASE, USER, PASSWORD));
    }

    public static void mustBeInstalled() {
        if (Executable.find("mariadbd").isEmpty()) {
            Executable.isMissing("This test needs MariaDB: apt-get install mariadb-server");
        }
    }

    @Override
    public List<String> arguments() {
        return List.of(
                "--db=mariadb",
                "--db-url=jdbc:mariadb://127.0.0.1:" + port + "/" + DATABASE,
                "--db-username=" + USER,
                "--db-password=" + PASSWORD);
    }

    /** @return the number of the version, such as 10.11.19 */
    public String version() throws IOException {
        return execute("SELECT VERSION()").split("-")[0];
    }

    @Override
    public void start() throws IOException {
        process = new ProcessBuilder(
                        "mariadbd",
                        "--no-defaults",
                        // MariaDB refuses to run as root, unless it is told to.
                        "--user=" + System.getProperty("user.name"),
                        "--datadir=" + data(),
                        "--socket=" + socket(),
                        "--pid-file=" + folder.resolve("pid"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--innodb-flush-log-at-trx-commit=2")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        for (int i = 0; !answers(); i++) {
            if (i == TRIES || !process.isAlive()) {
                throw new IllegalStateException("MariaDB did not start, see " + folder.resolve("log"));
            }
            sleep();
        }
    }

    /** Stops it with SIGKILL. */
    @Override
    public void stop() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void suspend() throws IOException {
        run("kill", "-STOP", "" + process.pid());
    }

    @Override
    public void resume() throws IOException {
        run("kill", "-CONT", "" + process.pid());
    }

    @Override
    public void closeConnections() throws IOException {
        execute("KILL CONNECTION USER " + USER);
    }

    /** @return what the statement prints, one line for each row */
    public String execute(String sql) throws IOException {
        return run(
                "mariadb",
                "--no-defaults",
                "--socket=" + socket(),
                "--user=root",
                "--batch",
                "--skip-column-names",
                "--execute=" + sql);
    }

    @Override
    public void close() throws IOException {
        stop();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.sorted((a, b) -> b.getNameCount() - a.getNameCount()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path socket() {
        return folder.resolve("socket");
    }

    private boolean answers() throws IOException {
        try {
            execute("SELECT 1");
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String run(String... command) throws IOException {
        Path output = folder.resolve("output");
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (run.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(command[0] + ": " + Files.readString(output));
        }
        return Files.readString(output).strip();
    }
}
