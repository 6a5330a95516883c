package io.github.checktoken.bench.load;

import java.util.ArrayList;
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
    public static final String WITH_PREVIOUS_JAR = "login with the previous JAR";

    private final LoadFiles files;
    private final BenchSettings settings;
    private final LoginRate rate;
    private final int perSecond;
    private final List<Scenario> scenarios = new ArrayList<>();

    /** @param perSecond how many logins begin each second; 0 for as many as the server answers */
    public LoginCases(LoadFiles files, BenchSettings settings, int perSecond) {
        this.files = files;
        this.settings = settings;
        this.rate = new LoginRate(settings.growthPhase());
        this.perSecond = perSecond;
    }

    public LoginCases add(String name, BenchServer server, BenchRealm realm) {
        return add(name, server, realm, BenchRealm.SERVICE_PROVIDER, false);
    }

    public LoginCases addAskingForAmr(BenchServer server, BenchRealm realm) {
        return add("login with the JAR, asking for amr", server, realm, BenchRealm.ASKING_FOR_AMR, true);
    }

    private LoginCases add(String name, BenchServer server, BenchRealm realm, String client, boolean amr) {
        String baseline = scenarios.isEmpty() ? null : scenarios.get(0).name();
        int connections = settings.connections();
        scenarios.add(new Login(name, baseline, server, realm, files, client, amr, connections, rate, perSecond));
        return this;
    }

    public List<Scenario> scenarios() {
        return scenarios;
    }
}
