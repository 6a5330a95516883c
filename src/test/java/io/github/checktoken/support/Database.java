package io.github.checktoken.support;

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

/** The embedded database of a running {@link DistributionServer}, looked into with the H2 driver that the server has. */
public final class Database {

    private static final String USER = "demo";
    private static final String PASSWORD = "demo-database-password";

    private final Path home;
    private final String url;

    /** A new and empty one. */
    Database(Path home) throws IOException {
        this.home = home;
        Path folder = Files.createTempDirectory(home.getParent(), "database-");
        this.url =
                "jdbc:h2:file:" + folder.toAbsolutePath().resolve("keycloak") + ";AUTO_SERVER=TRUE;NON_KEYWORDS=VALUE";
    }

    List<String> arguments() {
        return List.of("--db=dev-file", "--db-url=" + url, "--db-username=" + USER, "--db-password=" + PASSWORD);
    }

    /** How many rows each table has. */
    public Map<String, Long> rows() {
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
                return rows(connection);
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
        List<String> tables = new ArrayList<>();
        try (ResultSet names = statement.executeQuery(
                "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'PUBLIC'")) {
            while (names.next()) {
                tables.add(names.getString(1));
            }
        }
        return tables;
    }
}
