package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;

/**
 * How the benchmark runs, from the properties {@code bench.*}.
 *
 * @param groups which groups of scenarios run
 * @param rounds how often each scenario is measured
 * @param phase how long one measurement of one scenario takes
 * @param pairs how often both servers of the group {@code login} are started and measured
 * @param warmUpAnswers how many answers a server gives before anything is measured
 * @param connections how many connections the load has, except where the number itself is varied
 * @param loginRate how many logins begin each second
 * @param largest the groups that vary a size leave out larger ones than this
 * @param serverCpus the processors of the servers that are measured, as {@code taskset --cpu-list} takes them
 * @param loadCpus the processors of everything else: wrk, PostgreSQL, this JVM
 * @param javaHome the JDK that runs Keycloak
 */
public record BenchSettings(
        Set<String> groups,
        int rounds,
        Duration phase,
        int pairs,
        long warmUpAnswers,
        int connections,
        int loginRate,
        int largest,
        String serverCpus,
        String loadCpus,
        String javaHome) {

    public static BenchSettings read() {
        return new BenchSettings(
                Set.of(text("cases", "main,connections,tokens,scopes,providers,sessions,login")
                        .split(",")),
                number("rounds", 12),
                Duration.ofSeconds(number("seconds", 2)),
                number("pairs", 8),
                number("warmup", 150_000),
                number("connections", 8),
                number("login.rate", 50),
                number("largest", 10_000),
                text("server.cpus", "0"),
                text("load.cpus", "1"),
                text("java.home", System.getProperty("java.home")));
    }

    /** @return how often and how long everything is measured, for the head of the report */
    public String allRounds() {
        return "%d of %d s; %d connections; %d pairs of servers with %d logins a second"
                .formatted(rounds, phase.toSeconds(), connections, pairs, loginRate);
    }

    /** The version of the JDK that runs Keycloak, for example 17. */
    public int jdk() throws IOException {
        return Runtime.Version.parse(release("JAVA_VERSION")).feature();
    }

    /** The file {@code release} of a JDK has lines like {@code JAVA_VERSION="17.0.15"}. */
    String release(String name) throws IOException {
        Properties release = new Properties();
        try (var file = Files.newBufferedReader(Path.of(javaHome, "release"))) {
            release.load(file);
        }
        return release.getProperty(name, "").replace("\"", "");
    }

    private static String text(String name, String otherwise) {
        return System.getProperty("bench." + name, otherwise);
    }

    private static int number(String name, int otherwise) {
        return Integer.getInteger("bench." + name, otherwise);
    }
}
