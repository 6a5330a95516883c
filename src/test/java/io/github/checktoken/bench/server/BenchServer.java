package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A running Keycloak with its meter. */
public record BenchServer(ProductionServer keycloak, ServerMeter meter) implements AutoCloseable {

    /** Starts a server. The arguments are those of {@link ProductionServer}. */
    public static BenchServer start(
            BenchSettings settings, Path folder, String name, boolean withJar, List<String> database)
            throws IOException, InterruptedException {
        Path jar = withJar ? Path.of(System.getProperty("checktoken.jar")) : null;
        ProductionServer keycloak = new ProductionServer(settings, folder, name, jar, database);
        try {
            return new BenchServer(keycloak, new ServerMeter(keycloak.pid()));
        } catch (IOException | RuntimeException e) {
            keycloak.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        meter.close();
        keycloak.close();
    }
}
