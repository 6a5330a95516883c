package io.github.checktoken.login.amr;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Tests that operators see when {@code amr} was asked for and could not be told. */
class AmrOmissionIT extends AbstractLevelIT {

    AmrOmissionIT(KeycloakServer server) {
        super(server);
    }

    @Test
    void loginThatIsToldIsNotReported() {
        ServiceProvider client = realm.client(STEPS);
        client.refresh(signIn(STEPS, realm.request(STEPS)));
        client.refresh(signIn(STEPS, realm.request(STEPS).without("claims")));
        assertEquals(List.of(), reasons("CODE_TO_TOKEN_ERROR"));
        assertEquals(List.of(), reasons("REFRESH_TOKEN_ERROR"));
    }

    @Test
    void codesThatCannotBeToldApartAreReported() {
        double before = omitted("logins_ambiguous");
        signIn(STEPS, realm.request(STEPS));
        String asks = open(realm.request(STEPS).without("nonce"))
                .headers()
                .firstValue("Location")
                .orElseThrow();
        String doesNot = open(realm.request(STEPS).without("nonce").without("claims"))
                .headers()
                .firstValue("Location")
                .orElseThrow();
        assertNull(realm.client(STEPS).redeem(asks).amr());
        assertNull(realm.client(STEPS).redeem(doesNot).amr());
        assertEquals(List.of("logins_ambiguous", "logins_ambiguous"), reasons("CODE_TO_TOKEN_ERROR"));
        assertEquals(before + 2, omitted("logins_ambiguous"));
    }

    @Test
    void refreshTokenOfLongAgoIsReported() {
        double before = omitted("login_not_found");
        Tokens first = signIn(STEPS, realm.request(STEPS));
        Tokens latest = first;
        for (int refreshes = 0; refreshes < 20; refreshes++) {
            latest = realm.client(STEPS).refresh(latest);
        }
        assertNull(realm.client(STEPS).refresh(first).amr());
        assertEquals(List.of("login_not_found"), reasons("REFRESH_TOKEN_ERROR"));
        assertEquals(before + 1, omitted("login_not_found"));
    }

    private List<String> reasons(String type) {
        String id = realm.admin().user(person).substring("/users/".length());
        JsonNode events = realm.admin().get("/events?max=1000&type=" + type + "&user=" + id);
        return events.valueStream()
                .filter(event -> event.path("error").asText().equals("amr_not_told"))
                .map(event -> event.path("details").path("reason").asText())
                .toList();
    }

    private double omitted(String reason) {
        String name = "checktoken_amr_omitted_total{realm=\"" + realm.name() + "\",reason=\"" + reason + "\"} ";
        return Http.send(Http.request(server.managementUrl() + "/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }
}
