package io.github.checktoken.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;

/** Debian's Prometheus with a configuration of the guide, which it reads each second instead of each minute. */
final class Prometheus implements AutoCloseable {

    private static final int LIMIT_SECONDS = 120;

    private final String url;
    private final Path log;
    private final Process process;

    /** @param folder with what the configuration names */
    Prometheus(Path folder, String configuration, int port) throws IOException {
        url = "http://127.0.0.1:" + port;
        log = folder.resolve("prometheus.log");
        Path file = Files.writeString(
                folder.resolve("prometheus.yml"),
                "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n" + configuration);
        process = new ProcessBuilder(
                        Bash.find("prometheus"),
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("prometheus"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Waits until the meters of the only server were read, and every rule was evaluated. */
    void awaitFirstEvaluation() throws IOException, InterruptedException {
        for (int second = 0; second < LIMIT_SECONDS; second++) {
            if (process.isAlive() && isReady()) {
                return;
            }
            TimeUnit.SECONDS.sleep(1);
        }
        throw new AssertionError(targets() + "\n" + rules() + "\n" + Files.readString(log));
    }

    private boolean isReady() {
        try {
            List<JsonNode> rules = rules();
            return targets().findValuesAsText("health").equals(List.of("up"))
                    && !rules.isEmpty()
                    && rules.stream()
                            .allMatch(rule -> rule.get("health").asText().equals("ok"));
        } catch (UncheckedIOException | AssertionError e) {
            // It does not listen yet, or is reading its files.
            return false;
        }
    }

    private JsonNode targets() {
        return get("targets?state=active").at("/data/activeTargets");
    }

    /** @return the rules with their state */
    List<JsonNode> rules() {
        return StreamSupport.stream(get("rules").at("/data/groups").spliterator(), false)
                .flatMap(group -> StreamSupport.stream(group.get("rules").spliterator(), false))
                .toList();
    }

    /** @return the value of a query that gives one number; 0 if it gives none */
    double value(String query) {
        return get("query?" + Http.encode(Map.of("query", query)))
                .at("/data/result/0/value/1")
                .asDouble();
    }

    private JsonNode get(String path) {
        return Http.json(Http.send(Http.request(url + "/api/v1/" + path)));
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor(30, TimeUnit.SECONDS);
    }
}
