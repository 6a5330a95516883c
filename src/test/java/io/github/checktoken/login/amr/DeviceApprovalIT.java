package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Tests that the approval of a device is not taken for a login with a code. */
@ExtendWith(KeycloakExtension.class)
class DeviceApprovalIT {

    private final LevelRealm realm;
    private final Browser browser;

    DeviceApprovalIT(KeycloakServer server) {
        this.realm = new LevelRealm(server);
        this.browser = realm.browser();
    }

    @Test
    void nextLoginIsAnsweredAndTheDeviceIsToldNothing() {
        String person = realm.newPerson();
        realm.with(
                STEPS,
                client -> ((ObjectNode) client.get("attributes"))
                        .put("oauth2.device.authorization.grant.enabled", "true"),
                () -> {
                    JsonNode device = device();
                    HttpResponse<String> consent = realm.enter(
                            browser,
                            person,
                            browser.get(device.get("verification_uri_complete").asText()));
                    browser.submit(consent, Map.of("accept", "Yes"));

                    Tokens tokens = realm.signIn(
                            browser, person, STEPS, realm.request(STEPS).without("nonce"));
                    assertEquals("pwd", tokens.amr());
                    assertEquals("low", tokens.acr());

                    Tokens ofDevice = realm.client(STEPS)
                            .token(Map.of(
                                    "grant_type",
                                    "urn:ietf:params:oauth:grant-type:device_code",
                                    "device_code",
                                    device.get("device_code").asText()));
                    assertFalse(Tokens.claims(ofDevice.idToken()).has("amr"));
                    assertFalse(Tokens.claims(ofDevice.idToken()).has("acr"));
                });
    }

    private JsonNode device() {
        return Http.json(Http.send(Http.form(
                realm.url() + "/protocol/openid-connect/auth/device",
                Map.of("client_id", STEPS, "client_secret", realm.client(STEPS).secret(), "scope", "openid"))));
    }
}
