package io.github.checktoken.bench.load;

import java.time.Duration;
import java.util.List;

import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;

/** Logins without and with the JAR, at a constant rate, in equal realms that use nothing of this project. */
public record LoginCases(
        BenchServer without,
        BenchServer with,
        BenchRealm realmWithout,
        BenchRealm realmWith,
        LoadFiles files,
        BenchSettings settings) {

    /** How many introspection calls a login counts for in the warm-up: it is three requests that do many times the work. */
    public static final int CALLS_IN_A_LOGIN = 12;

    public static final String WITH_JAR = "login with the JAR";
    private static final String WITHOUT_JAR = "login without the JAR";

    public List<Scenario> scenarios() {
        return scenarios(settings.loginRate(), settings.phase());
    }

    /** The same at twice the rate. */
    public List<Scenario> warmUp(Duration phase) {
        return scenarios(2 * settings.loginRate(), phase);
    }

    private List<Scenario> scenarios(int perSecond, Duration phase) {
        int connections = settings.connections();
        return List.of(
                new Login(WITHOUT_JAR, null, without, realmWithout, files, connections, perSecond, phase),
                new Login(WITH_JAR, WITHOUT_JAR, with, realmWith, files, connections, perSecond, phase));
    }
}
