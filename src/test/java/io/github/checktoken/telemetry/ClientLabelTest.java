package io.github.checktoken.telemetry;

import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ClientModel;

import io.github.checktoken.settings.Options;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ClientLabelTest {

    @Test
    void thereIsNoLabelUnlessItIsSwitchedOn() {
        assertEquals(Optional.empty(), new ClientLabel(new Options(Map.of())).of(Optional.of(client("dp-tax"))));
    }

    @Test
    void onlyDataProvidersAreNamed() {
        ClientLabel label = label();
        assertEquals(Optional.of("dp-tax"), label.of(Optional.of(client("dp-tax"))));
        assertEquals(Optional.of("none"), label.of(Optional.empty()));
    }

    @Test
    void afterFiveHundredTheFurtherOnesHaveOneValue() {
        ClientLabel label = label();
        for (int client = 0; client < 500; client++) {
            assertEquals(Optional.of("dp-" + client), label.of(Optional.of(client("dp-" + client))));
        }
        assertEquals(Optional.of("others"), label.of(Optional.of(client("dp-500"))));
        assertEquals(Optional.of("others"), label.of(Optional.of(client("dp-501"))));
        assertEquals(Optional.of("dp-499"), label.of(Optional.of(client("dp-499"))));
    }

    private static ClientLabel label() {
        return new ClientLabel(new Options(Map.of("meters-by-client", "true")));
    }

    private static ClientModel client(String clientId) {
        return Fake.of(ClientModel.class, Map.of("getId", "id of " + clientId, "getClientId", clientId));
    }
}
