package io.github.checktoken.bench.load;

import java.util.List;

import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;

/** Logins without the JAR, with it, and with it by a client that asks for {@code amr}. */
public final class LoginCases {

    /**
     * How many introspection calls a login counts for in the warm-up. It is three requests, and the page is opened once
     * more before, but each of them does many times the work.
     */
    public static final int CALLS_IN_A_LOGIN = 12;

    public static final String WITH_JAR = "login with the JAR";
    public static final String WITHOUT_JAR = "login without the JAR";

    private final List<Scenario> scenarios;

    public LoginCases(
            BenchServer without,
            BenchRealm realmWithout,
            BenchServer with,
            BenchRealm realmWith,
            LoadFiles files,
            BenchSettings settings) {
        int connections = settings.connections();
        LoginRate rate = new LoginRate(settings.growthPhase());
        String client = BenchRealm.SERVICE_PROVIDER;
        scenarios = List.of(
                new Login(WITHOUT_JAR, null, without, realmWithout, files, client, false, connections, rate),
                new Login(WITH_JAR, WITHOUT_JAR, with, realmWith, files, client, false, connections, rate),
                new Login(
                        "login with the JAR, asking for amr",
                        WITHOUT_JAR,
                        with,
                        realmWith,
                        files,
                        BenchRealm.ASKING_FOR_AMR,
                        true,
                        connections,
                        rate));
    }

    public List<Scenario> scenarios() {
        return scenarios;
    }
}
