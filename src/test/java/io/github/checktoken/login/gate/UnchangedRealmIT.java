package io.github.checktoken.login.gate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.login.gate.honest.HonestLogin;
import io.github.checktoken.login.gate.honest.HonestRealm.Kind;
import io.github.checktoken.login.gate.honest.HonestRealms;
import io.github.checktoken.login.gate.honest.LoginObserver;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A realm that uses nothing of this project behaves as on a server without the JAR. */
@Tag("long")
class UnchangedRealmIT {

    /** For a server that runs only for minutes. */
    private static final String QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC";

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));

    @Test
    void loginsHaveTheSameTokensEventsAndSessionNotesAsWithoutTheJar() throws IOException, InterruptedException {
        Map<String, String> without = observe("keycloak-without", List.of());
        Map<String, String> with = observe("keycloak-with", List.of(Path.of(System.getProperty("checktoken.jar"))));
        List<String> differences = new ArrayList<>();
        without.forEach((what, seen) -> {
            if (!seen.equals(with.get(what))) {
                differences.add(what + "\n  without: " + seen + "\n  with:    " + with.get(what));
            }
        });
        assertEquals(without.keySet(), with.keySet());
        assertEquals("", String.join("\n", differences));
    }

    private static Map<String, String> observe(String name, List<Path> jars) throws IOException, InterruptedException {
        Database database = new Database(HOME);
        Map<String, String> environment =
                Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_APPEND", QUICK_JAVA);
        Map<String, String> seen = new LinkedHashMap<>();
        try (ProductionServer server = new ProductionServer(
                        HOME.getParent(), name, jars, database.arguments(), List.of(), environment);
                MailServer mailServer = new MailServer(server)) {
            LoginObserver observer = new LoginObserver(new HonestRealms(server, mailServer, "plain"), database);
            for (Kind kind : List.of(Kind.PLAIN, Kind.ORGANIZATIONS)) {
                HonestLogin.inRealmsOf(kind)
                        .forEach(login ->
                                observer.observe(login).forEach((what, value) -> seen.put(login + ", " + what, value)));
            }
        }
        return seen;
    }
}
