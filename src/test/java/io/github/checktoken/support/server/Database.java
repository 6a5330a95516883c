package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The embedded database of a running server. It is opened with the server's H2 driver. */
public final class Database {

    private static final String USER = "demo";
    private static final String PASSWORD = "demo-database-password";

    private final Path home;
    private final String url;

    /**
     * Creates a new and empty database, which does not compact its file: that takes a tenth of the server's time. It writes
     * what was committed every 30 seconds.
     *
     * @param home an installation of Keycloak, which has the driver; the database is beside it
     */
    public Database(Path home) throws IOException {
        this.home = home;
        Path folder = Files.createTempDirectory(home.getParent(), "database-");
        this.url = "jdbc:h2:file:" + folder.toAbsolutePath().resolve("keycloak")
                + ";AUTO_SERVER=TRUE;NON_KEYWORDS=VALUE;AUTO_COMPACT_FILL_RATE=0;WRITE_DELAY=30000";
    }

    /** @return the arguments for {@code kc.sh} */
    public List<String> arguments() {
        return List.of("--db=dev-file", "--db-url=" + url, "--db-username=" + USER, "--db-password=" + PASSWORD);
    }

    /** @return the number of rows of each table */
    public Map<String, Long> rows() {
        return connected(Database::rows);
    }

    /** @return the first column of the query's result */
    public List<String> values(String query) {
        return connected(connection -> {
            try (Statement statement = connection.createStatement()) {
                return column(statement, query);
            }
        });
    }

    /** Changes the database. */
    public void execute(String sql) {
        connected(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    /** Changes the database as another node does that has not committed yet while the steps run. */
    public void executeDuring(String sql, Runnable steps) {
        connected(connection -> {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                steps.run();
                connection.commit();
                return null;
            }
        });
    }

    private <T> T connected(Work<T> work) {
        try (DirectoryStream<Path> jars =
                        Files.newDirectoryStream(home.resolve("lib/lib/main"), "com.h2database.h2-*.jar");
                URLClassLoader h2 = new URLClassLoader(
                        new URL[] {jars.iterator().next().toUri().toURL()})) {
            Driver driver = (Driver)
                    h2.loadClass("org.h2.Driver").getDeclaredConstructor().newInstance();
            Properties login = new Properties();
            login.put("user", USER);
            login.put("password", PASSWORD);
            try (Connection connection = driver.connect(url, login)) {
                return work.on(connection);
            }
        } catch (IOException | SQLException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Long> rows(Connection connection) throws SQLException {
        Map<String, Long> rows = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            for (String table : tables(statement)) {
                try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM \"" + table + "\"")) {
                    count.next();
                    rows.put(table, count.getLong(1));
                }
            }
        }
        return rows;
    }

    private static List<String> tables(Statement statement) throws SQLException {
        return column(statement, "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'PUBLIC'");
    }

    private static List<String> column(Statement statement, String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
