package io.github.checktoken.bench.server;

import java.time.Duration;
import java.util.Set;

/**
 * How the benchmark runs, from the properties {@code bench.*}.
 *
 * @param groups which groups of scenarios run
 * @param rounds how often each scenario is measured
 * @param phase how long one measurement of one scenario takes
 * @param growthRounds how often each scenario of the growth groups is measured
 * @param growthPhase how long one measurement in the growth groups takes
 * @param warmUpAnswers how many answers a server gives before anything is measured
 * @param connections how many connections the load has, except where the number itself is varied
 * @param loginRate how many logins begin each second in the group {@code login-rate}
 * @param largest the growth groups leave out larger sizes than this
 * @param serverCpus the processors of Keycloak, as {@code taskset --cpu-list} takes them
 * @param loadCpus the processors of everything else: wrk, PostgreSQL, this JVM
 * @param javaHome the JDK that runs Keycloak
 * @param javaOptions further options for Keycloak's JVM
 * @param limits the set-up whose limits the report uses: jdk17, jdk25 or recommended
 */
public record BenchSettings(
        Set<String> groups,
        int rounds,
        Duration phase,
        int growthRounds,
        Duration growthPhase,
        long warmUpAnswers,
        int connections,
        int loginRate,
        int largest,
        String serverCpus,
        String loadCpus,
        String javaHome,
        String javaOptions,
        String limits) {

    public static BenchSettings read() {
        return new BenchSettings(
                Set.of(text("cases", "main,connections,scopes,providers,sessions,login")
                        .split(",")),
                number("rounds", 5),
                Duration.ofSeconds(number("seconds", 10)),
                number("growth.rounds", 3),
                Duration.ofSeconds(number("growth.seconds", 4)),
                number("warmup", 150_000),
                number("connections", 8),
                number("login.rate", 50),
                number("largest", 10_000),
                text("server.cpus", "0"),
                text("load.cpus", "1"),
                text("java.home", System.getProperty("java.home")),
                text("java.options", ""),
                text("limits", "jdk17"));
    }

    /** @return how often and how long everything is measured, for the head of the report */
    public String allRounds() {
        return "%d of %d s; growth %d of %d s; %d connections"
                .formatted(rounds, phase.toSeconds(), growthRounds, growthPhase.toSeconds(), connections);
    }

    private static String text(String name, String otherwise) {
        return System.getProperty("bench." + name, otherwise);
    }

    private static int number(String name, int otherwise) {
        return Integer.getInteger("bench." + name, otherwise);
    }
}
