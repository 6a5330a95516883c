package io.github.checktoken.bench;

import java.util.List;

/** Logins without the JAR, with it, and with it by a client that asks for {@code amr}. */
final class LoginCases {

    /** The page, the password, the code. */
    static final int REQUESTS = 3;

    private static final String WITHOUT = "login without the JAR";

    private final List<Scenario> scenarios;

    LoginCases(
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
                new Login(WITHOUT, null, without, realmWithout, files, client, false, connections, rate),
                new Login("login with the JAR", WITHOUT, with, realmWith, files, client, false, connections, rate),
                new Login(
                        "login with the JAR, asking for amr",
                        WITHOUT,
                        with,
                        realmWith,
                        files,
                        BenchRealm.ASKING_FOR_AMR,
                        true,
                        connections,
                        rate));
    }

    List<Scenario> scenarios() {
        return scenarios;
    }
}
