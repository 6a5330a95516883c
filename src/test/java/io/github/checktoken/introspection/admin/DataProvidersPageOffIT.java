package io.github.checktoken.introspection.admin;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.NativeCrypto;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The second server of the tests is not told to have the page for administrators. This class comes first, so that the
 * second server starts together with the other one, which alone keeps one core busy.
 */
@Order(1)
@ExtendWith(KeycloakExtension.class)
@NativeCrypto
class DataProvidersPageOffIT {

    private final KeycloakServer server;

    DataProvidersPageOffIT(KeycloakServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/page.js", "/page.css"})
    void thereIsNoPageUnlessItIsSwitchedOn(String path) {
        String page = server.realmUrl(Federation.REALM) + "/data-providers" + path;
        assertEquals(404, Http.send(Http.request(page)).statusCode());
    }
}
