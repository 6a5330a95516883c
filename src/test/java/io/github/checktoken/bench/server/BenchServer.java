package io.github.checktoken.bench.server;

import java.io.IOException;

/** A running Keycloak with its meter. */
public record BenchServer(ProductionServer keycloak, ServerMeter meter) implements AutoCloseable {

    @Override
    public void close() throws IOException {
        meter.close();
        keycloak.close();
    }
}
