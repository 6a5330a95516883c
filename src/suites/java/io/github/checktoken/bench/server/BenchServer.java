package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.server.ProductionServer;

/**
 * A running Keycloak with its meter. Its JVM is set up for as many processors as {@code bench.server.cpus} names, but may
 * use those of the load too until {@link #keepOnItsProcessors}, because its compiler would otherwise need many minutes.
 *
 * @param cpus {@code bench.server.cpus}
 */
public record BenchServer(ProductionServer keycloak, ServerMeter meter, String cpus) implements AutoCloseable {

    /** @return the JAR that this build has made */
    public static Path jar() {
        return Path.of(System.getProperty("checktoken.jar"));
    }

    /** Starts a server. The arguments are those of {@link ProductionServer}. */
    public static BenchServer start(BenchSettings settings, Path folder, String name, Path jar, List<String> database)
            throws IOException, InterruptedException {
        ProductionServer keycloak = new ProductionServer(
                folder,
                name,
                jar,
                database,
                Processors.on(settings.serverCpus() + "," + settings.loadCpus()),
                Map.of(
                        "JAVA_HOME",
                        settings.javaHome(),
                        "JAVA_OPTS_APPEND",
                        "-XX:ActiveProcessorCount=" + Processors.count(settings.serverCpus()) + " "
                                + settings.javaOptions()));
        try {
            return new BenchServer(keycloak, new ServerMeter(keycloak.pid()), settings.serverCpus());
        } catch (IOException | RuntimeException e) {
            keycloak.close();
            throw e;
        }
    }

    /** Ends the warm-up: from now on the server does not use the processors of the load. */
    public void keepOnItsProcessors() throws IOException, InterruptedException {
        Processors.keep(keycloak.pid(), cpus);
    }

    @Override
    public void close() throws IOException {
        meter.close();
        keycloak.close();
    }
}
