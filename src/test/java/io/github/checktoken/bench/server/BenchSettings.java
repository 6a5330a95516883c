package io.github.checktoken.bench.server;

import java.time.Duration;
import java.util.Set;

/**
 * How the benchmark runs, from the properties {@code bench.*}, whose values are in {@code pom.xml}.
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
                Set.of(text("cases").split(",")),
                number("rounds"),
                Duration.ofSeconds(number("seconds")),
                number("growth.rounds"),
                Duration.ofSeconds(number("growth.seconds")),
                number("warmup"),
                number("connections"),
                number("login.rate"),
                number("largest"),
                text("server.cpus"),
                text("load.cpus"),
                text("java.home"),
                text("java.options"),
                text("limits"));
    }

    /** @return how often and how long everything is measured, for the head of the report */
    public String allRounds() {
        return "%d of %d s; growth %d of %d s; %d connections"
                .formatted(rounds, phase.toSeconds(), growthRounds, growthPhase.toSeconds(), connections);
    }

    /** Empty settings arrive as no property at all. */
    private static String text(String name) {
        return System.getProperty("bench." + name, "");
    }

    private static int number(String name) {
        return Integer.parseInt(text(name));
    }
}
