package io.github.checktoken.introspection.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** As {@link AnswerLevelIT}, in a realm in which nothing records logins: only Keycloak's notes tell the levels. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnrecordedLevelIT {

    private final LevelRealm realm;
    private final DataProviderClient dataProvider;

    UnrecordedLevelIT(KeycloakServer server) throws JOSEException {
        realm = new LevelRealm(server);
        realm.useKeycloaksAcr();
        realm.removeMapper("amr");
        realm.admin().update("", json -> json.withObject("/attributes").put("checktoken.login.gate", "off"));
        dataProvider = new NewDataProvider(realm.admin(), realm.url(), new ECKeyGenerator(Curve.P_256).generate())
                .encryptedWith("ECDH-ES")
                .defaultScopes()
                .create();
    }

    @Test
    void refreshHasTheLevelOfTheFirstLogin() {
        Browser browser = realm.browser();
        String person = realm.newPerson();
        Tokens low = signIn(browser, person, realm.request(STEPS));
        Waiting.untilAllIsOlderThan(0);
        Tokens high = signIn(browser, person, realm.requestHigh(STEPS));

        assertEquals("low", acr(low));
        assertEquals("high", acr(high));
        assertEquals("low", acr(refresh(low)));
        assertEquals("low", acr(refresh(high)));
    }

    @Test
    void refreshKeepsALevelThatTheFirstLoginReached() {
        Tokens high = signIn(realm.browser(), realm.newPerson(), realm.requestHigh(STEPS));

        assertEquals("high", acr(high));
        assertEquals("high", acr(refresh(high)));
    }

    private Tokens signIn(Browser browser, String person, AuthorizationRequest request) {
        return realm.signIn(browser, person, STEPS, request);
    }

    private Tokens refresh(Tokens tokens) {
        return realm.client(STEPS).refresh(tokens);
    }

    private String acr(Tokens tokens) {
        return (String) dataProvider.check(tokens.accessToken()).introspection().get("acr");
    }
}
