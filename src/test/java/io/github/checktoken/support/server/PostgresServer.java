package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs the PostgreSQL that is installed on this machine ({@code apt-get install postgresql}), with a new and empty
 * database, on a free port.
 */
public final class PostgresServer implements DatabaseServer {

    private static final Path INSTALLATIONS = Path.of("/usr/lib/postgresql");
    private static final String USER = "keycloak";
    private static final String DATABASE = "keycloak";
    /** PostgreSQL refuses to run as root. */
    private static final List<String> NOT_AS_ROOT =
            "root".equals(System.getProperty("user.name")) ? List.of("runuser", "-u", "nobody", "--") : List.of();

    private final Path bin;
    private final Path folder;
    private final int port;

    public PostgresServer() throws IOException {
        bin = newest();
        folder = Files.createTempDirectory("checktoken-postgres-");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        if (!NOT_AS_ROOT.isEmpty()) {
            run(List.of("chown", "nobody", folder.toString()));
        }
        run("initdb", "--pgdata=" + data(), "--username=" + USER, "--auth=trust", "--encoding=UTF8");
        start();
        createDatabase(DATABASE);
    }

    /** Creates a further database, for a server that shares nothing with the others. */
    public void createDatabase(String name) throws IOException {
        run("createdb", "--host=127.0.0.1", "--port=" + port, "--username=" + USER, name);
    }

    @Override
    public List<String> arguments() {
        return arguments(DATABASE);
    }

    /** The arguments with which {@code kc.sh} uses a further database. */
    public List<String> arguments(String database) {
        return List.of(
                "--db=postgres",
                "--db-url=jdbc:postgresql://127.0.0.1:" + port + "/" + database,
                "--db-username=" + USER,
                "--db-password=any");
    }

    @Override
    public void start() throws IOException {
        String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c fsync=off -k " + folder;
        run(
                "pg_ctl",
                "start",
                "--wait",
                "--pgdata=" + data(),
                "--log=" + folder.resolve("log"),
                "--options=" + options);
    }

    @Override
    public void stop() throws IOException {
        run("pg_ctl", "stop", "--wait", "--mode=immediate", "--pgdata=" + data());
    }

    /** Ends the process of one connection as {@code kill -9} does; then the server ends all others and recovers by itself. */
    public void crash() throws IOException {
        String pid = value(
                "select pid from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user limit 1");
        if (!pid.isEmpty()) {
            run(List.of("kill", "-KILL", pid));
        }
    }

    /** Stops all of its processes with SIGSTOP. */
    @Override
    public void suspend() throws IOException {
        ProcessHandle postmaster = postmaster();
        run(List.of("kill", "-STOP", "" + postmaster.pid()));
        // Only now, because the postmaster starts the others.
        signalOthers("-STOP", postmaster);
    }

    /** Lets all of its processes continue. */
    @Override
    public void resume() throws IOException {
        ProcessHandle postmaster = postmaster();
        signalOthers("-CONT", postmaster);
        // Only now, because the postmaster removes those that end, and kill fails for one that is gone.
        run(List.of("kill", "-CONT", "" + postmaster.pid()));
    }

    private ProcessHandle postmaster() throws IOException {
        return ProcessHandle.of(Long.parseLong(
                        Files.readAllLines(data().resolve("postmaster.pid")).get(0)))
                .orElseThrow();
    }

    private void signalOthers(String signal, ProcessHandle postmaster) throws IOException {
        List<String> others =
                postmaster.descendants().map(process -> "" + process.pid()).toList();
        run(Stream.concat(Stream.of("kill", signal), others.stream()).toList());
    }

    @Override
    public void closeConnections() throws IOException {
        execute("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                + " where pid <> pg_backend_pid() and usename = current_user");
    }

    public void execute(String sql) throws IOException {
        value(sql);
    }

    /** @return the value of a query that gives one row with one column */
    public String value(String sql) throws IOException {
        run(
                "psql",
                "--host=127.0.0.1",
                "--port=" + port,
                "--username=" + USER,
                "--no-align",
                "--tuples-only",
                "--command=" + sql,
                DATABASE);
        return Files.readString(output()).strip();
    }

    @Override
    public void close() throws IOException {
        stop();
        run(List.of("rm", "-r", folder.toString()));
    }

    private Path data() {
        return folder.resolve("data");
    }

    /** What the last command has printed. */
    private Path output() {
        return Path.of(folder + ".log");
    }

    private void run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(NOT_AS_ROOT);
        command.add(bin.resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    private void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                // The server would hold a pipe open, so the output goes to a file.
                .redirectOutput(output().toFile())
                .start();
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " failed, see " + output());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void mustBeInstalled() {
        assertTrue(Files.isDirectory(INSTALLATIONS), "The measurement needs PostgreSQL: apt-get install postgresql");
    }

    private static Path newest() throws IOException {
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }
}
