package io.github.checktoken.login.gate;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.login.gate.honest.HonestLogin;
import io.github.checktoken.login.gate.honest.HonestRealm.Kind;
import io.github.checktoken.login.gate.honest.HonestRealms;
import io.github.checktoken.login.gate.honest.LoginObserver;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.JarComparison;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A realm that uses nothing of this project behaves as on a server without the JAR. */
@Tag("long")
class UnchangedRealmIT {

    @Test
    void loginsHaveTheSameTokensEventsAndSessionNotesAsWithoutTheJar() throws IOException, InterruptedException {
        assertEquals(
                List.of(),
                JarComparison.of("keycloak", UnchangedRealmIT::observe).differences());
    }

    private static Map<String, String> observe(KeycloakServer server, Database database) {
        Map<String, String> seen = new LinkedHashMap<>();
        try (MailServer mailServer = new MailServer(server)) {
            LoginObserver observer = new LoginObserver(new HonestRealms(server, mailServer, "plain", false), database);
            for (Kind kind : List.of(Kind.PLAIN, Kind.ORGANIZATIONS)) {
                HonestLogin.inRealmsOf(kind)
                        .forEach(login ->
                                observer.observe(login).forEach((what, value) -> seen.put(login + ", " + what, value)));
            }
        }
        return seen;
    }
}
