package io.github.checktoken.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.Executable;
import org.junit.jupiter.api.Assertions;

/** Makes the load with <a href="https://github.com/wg/wrk">wrk</a> and a Lua script under {@code src/test/resources/bench}. */
public final class Wrk {

    private static final String RESULT = "RESULT ";

    private Wrk() {}

    public static void mustBeInstalled() {
        if (Executable.find("wrk").isEmpty()) {
            Assertions.fail("The measurement needs wrk: apt-get install wrk");
        }
    }

    /**
     * Runs one load to its end.
     *
     * @throws AssertionError if any answer was wrong
     */
    public static Result run(Load load, Duration duration) throws IOException, InterruptedException {
        Result result = count(load, duration);
        if (result.wrong() > 0) {
            throw new AssertionError(result.wrong() + " wrong answers: " + result.output());
        }
        return result;
    }

    /** Runs one load to its end, also if answers are wrong. */
    public static Result count(Load load, Duration duration) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "wrk",
                "--latency",
                "--timeout=30s",
                "--threads=" + load.threads(),
                "--connections=" + load.connections(),
                "--duration=" + duration.toSeconds() + "s",
                "--script=" + load.script(),
                load.url(),
                "--"));
        command.addAll(load.arguments());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || !output.contains(RESULT)) {
            throw new AssertionError("wrk failed: " + output);
        }
        JsonNode result = Http.json(output.substring(output.indexOf(RESULT) + RESULT.length()));
        return new Result(
                result.get("answers").asLong(),
                result.get("seconds").asDouble(),
                result.get("p50").asDouble() / 1000,
                result.get("p99").asDouble() / 1000,
                result.get("wrong").asLong() + result.get("failed").asLong(),
                output);
    }

    /**
     * @param script the file of the Lua script
     * @param arguments what the script gets
     */
    public record Load(String script, String url, int threads, int connections, List<String> arguments) {

        /**
         * The same load at a constant rate, in place of as fast as the server answers. Debian's {@code hey} and
         * {@code bombardier} also keep a rate, but do not read the answers.
         */
        public Load at(double perSecond) {
            List<String> paced = new ArrayList<>(arguments);
            paced.add("" + perSecond);
            return new Load(script, url, threads, connections, paced);
        }
    }

    /**
     * @param answers what the script counts: calls, or whole logins
     * @param p50 in milliseconds, for one request; for logins at a constant rate, for a whole login
     * @param p99 in milliseconds, as p50
     * @param wrong wrong answers, and calls without any answer
     * @param output everything that wrk printed
     */
    public record Result(long answers, double seconds, double p50, double p99, long wrong, String output) {}
}
