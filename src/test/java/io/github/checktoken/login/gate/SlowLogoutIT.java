package io.github.checktoken.login.gate;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;

import io.github.checktoken.login.gate.lock.RequestLock;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A logout takes as long as the service providers that Keycloak tells of it. */
@ExtendWith(KeycloakExtension.class)
@Tag("long")
class SlowLogoutIT {

    private static final Duration LONGER_THAN_A_LOGIN_MAY_TAKE = RequestLock.LONGEST_HOLD.plusSeconds(4);

    /** Keycloak waits for five seconds for each byte. */
    private static final Duration PAUSE = Duration.ofSeconds(4);

    private final KeycloakServer server;
    private final GateRealm realm;

    SlowLogoutIT(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        realm = new GateRealm(server, mailServer);
    }

    @Test
    void logoutEndsTheSessionHoweverLongItTakes() throws IOException {
        Person v = realm.accounts().person("v", false);
        ScriptedBrowser browser = realm.browser();
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(v));
        Tokens tokens = realm.client(GateRealm.BUILT_IN).redeem(browser.answer());
        try (ServerSocket serviceProvider = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = server.addressOfThisHost(serviceProvider.getLocalPort());
            realm.admin()
                    .update(
                            realm.admin().client(GateRealm.BUILT_IN),
                            client -> client.withObject("/attributes")
                                    .put("backchannel.logout.url", "http://" + address + "/"));
            Thread answer = new Thread(() -> answerSlowly(serviceProvider));
            answer.setDaemon(true);
            answer.start();
            Map<String, String> logout = Map.of(
                    "client_id",
                    GateRealm.BUILT_IN,
                    "client_secret",
                    WalkRealm.SECRET,
                    "refresh_token",
                    tokens.refreshToken());
            assertEquals(
                    204,
                    Http.send(Http.form(realm.url() + "/protocol/openid-connect/logout", logout)
                                    .timeout(LONGER_THAN_A_LOGIN_MAY_TAKE.multipliedBy(2)))
                            .statusCode());
        }

        realm.assertNotSignedIn(v);
    }

    private static void answerSlowly(ServerSocket serviceProvider) {
        try (Socket connection = serviceProvider.accept()) {
            OutputStream answer = connection.getOutputStream();
            answer.write("HTTP/1.1 200 OK\r\nX-Slow: ".getBytes());
            for (Duration waited = Duration.ZERO;
                    waited.compareTo(LONGER_THAN_A_LOGIN_MAY_TAKE) < 0;
                    waited = waited.plus(PAUSE)) {
                answer.write('.');
                answer.flush();
                Thread.sleep(PAUSE.toMillis());
            }
            answer.write("\r\nContent-Length: 0\r\n\r\n".getBytes());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
