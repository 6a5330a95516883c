package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A realm with levels, and for each test a new browser and a new person. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractLevelIT {

    final KeycloakServer server;
    LevelRealm realm;
    Browser browser;
    String person;

    AbstractLevelIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeAll
    void createRealm() {
        realm = new LevelRealm(server);
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        person = realm.newPerson();
    }

    /** The person opens the request, and enters the password and the PIN if they are asked for. */
    final HttpResponse<String> open(AuthorizationRequest request) {
        return realm.open(browser, person, request);
    }

    final Tokens signIn(String clientId, AuthorizationRequest request) {
        return realm.signIn(browser, person, clientId, request);
    }
}
