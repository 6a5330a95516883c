package io.github.checktoken.bench.server;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.server.ProductionServer;
import org.conscrypt.OpenSSLProvider;

/**
 * A running Keycloak with its meter. Its JVM is set up for as many processors as {@code bench.server.cpus} names, but may
 * use those of the load too until {@link #keepOnItsProcessors}, because its compiler would otherwise need many minutes.
 */
public final class BenchServer implements AutoCloseable {

    /** What the names of scenarios end with, if the server has the JAR of {@link #conscrypt}. */
    public static final String WITH_CONSCRYPT = ", with Conscrypt";

    private final ProductionServer keycloak;
    private final String cpus;
    private ServerMeter meter;

    private BenchServer(ProductionServer keycloak, String cpus) throws IOException {
        this.keycloak = keycloak;
        this.cpus = cpus;
        this.meter = ServerMeter.ofJvm(keycloak.pid());
    }

    /** @return the JAR that this build has made */
    public static Path jar() {
        return Path.of(System.getProperty("checktoken.jar"));
    }

    /** @return the JAR of the native crypto provider, which this project finds beside its own */
    public static Path conscrypt() {
        try {
            return Path.of(OpenSSLProvider.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a server. The arguments are those of {@link ProductionServer}. */
    public static BenchServer start(
            BenchSettings settings, Path folder, String name, List<Path> jars, List<String> database)
            throws IOException, InterruptedException {
        ProductionServer keycloak = new ProductionServer(
                folder,
                name,
                jars,
                database,
                Processors.on(settings.serverCpus() + "," + settings.loadCpus()),
                Map.of(
                        "JAVA_HOME",
                        settings.javaHome(),
                        "JAVA_OPTS_APPEND",
                        "-XX:ActiveProcessorCount=" + Processors.count(settings.serverCpus())));
        try {
            return new BenchServer(keycloak, settings.serverCpus());
        } catch (IOException | RuntimeException e) {
            keycloak.close();
            throw e;
        }
    }

    public ProductionServer keycloak() {
        return keycloak;
    }

    public ServerMeter meter() {
        return meter;
    }

    /** Starts it again, with the same realm. It has to warm up anew. */
    public void restart() throws IOException, InterruptedException {
        meter.close();
        keycloak.stop();
        keycloak.start();
        meter = ServerMeter.ofJvm(keycloak.pid());
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
