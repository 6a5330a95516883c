package io.github.checktoken.demo;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reads the log while Keycloak starts, and prints every few seconds what Keycloak is doing. */
final class Startup implements Consumer<String>, AutoCloseable {

    private static final int HEARTBEAT_SECONDS = 10;

    /** Maps words of a log line to what Keycloak does after that line. */
    private static final Map<String, String> PHASES = Map.of(
            "installing your custom providers", "Keycloak takes in the JAR and builds itself anew",
            "Running the server in", "the server boots",
            "Initializing database schema", "the server makes the tables of the embedded database",
            "Importing from directory", "the server makes the master realm and imports the demo realm",
            "Listening on:", "Keycloak is ready");

    private final Printout out;
    private final long begin = System.nanoTime();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "demo-heartbeat"));
    private volatile String phase = "Java starts";

    Startup(Printout out) {
        this.out = out;
        tell("");
        clock.scheduleAtFixedRate(() -> tell(" ..."), HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void accept(String line) {
        if (clock.isShutdown()) {
            return;
        }
        if (line.startsWith("ERROR") || line.contains(" ERROR [")) {
            out.line(line);
        }
        PHASES.forEach((sign, next) -> {
            if (line.contains(sign)) {
                phase = next;
                tell("");
            }
        });
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    private void tell(String suffix) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        out.line("%3d s  %s%s".formatted(seconds, phase, suffix));
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
