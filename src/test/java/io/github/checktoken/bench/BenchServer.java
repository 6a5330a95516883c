package io.github.checktoken.bench;

import java.io.IOException;

/** A running Keycloak with its meter. */
record BenchServer(ProductionServer keycloak, ServerMeter meter) implements AutoCloseable {

    @Override
    public void close() throws IOException {
        meter.close();
        keycloak.close();
    }
}
