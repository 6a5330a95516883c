package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.github.checktoken.support.server.PostgresServer;

/**
 * What an idle server occupies at one moment.
 *
 * @param heapBytes in use after a garbage collection
 * @param residentBytes the memory of the whole process
 * @param files open files and connections
 * @param sessions how many user sessions the database has, of all realms
 * @param userSessionBytes the size of the largest user session in the database, with its notes
 * @param clientSessionBytes the size of the largest client session in the database, with its notes
 */
public record Footprint(
        long heapBytes,
        long residentBytes,
        int threads,
        int files,
        int sessions,
        int userSessionBytes,
        int clientSessionBytes) {

    private static final int KILO = 1024;

    public static Footprint of(BenchServer server, PostgresServer postgres) throws IOException {
        Path process = Path.of("/proc/" + server.keycloak().pid());
        long heapBytes = server.meter().jvm().heapAfterCollection();
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            return new Footprint(
                    heapBytes,
                    status(process, "VmRSS") * KILO,
                    (int) status(process, "Threads"),
                    (int) files.count(),
                    number(postgres, "SELECT count(*) FROM offline_user_session"),
                    number(postgres, "SELECT max(length(data)) FROM offline_user_session"),
                    number(postgres, "SELECT max(length(data)) FROM offline_client_session"));
        }
    }

    /** Keycloak's tables of this name have all persistent sessions, not only offline sessions. */
    private static int number(PostgresServer postgres, String query) throws IOException {
        return Integer.parseInt(postgres.value(query));
    }

    /** The file has lines like {@code VmRSS:     1024 kB}. */
    private static long status(Path process, String name) throws IOException {
        return Files.readAllLines(process.resolve("status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }
}
