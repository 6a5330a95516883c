package io.github.checktoken.telemetry;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Meters;
import io.github.checktoken.support.server.NativeCrypto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The second server of the tests has meters by client. */
@ExtendWith(KeycloakExtension.class)
@NativeCrypto
class ClientLabelIT {

    private final Federation federation;
    private final Meters meters;

    ClientLabelIT(Federation federation) {
        this.federation = federation;
        this.meters = new Meters(federation.server());
    }

    @Test
    void answersOfADataProviderHaveItsName() {
        DataProviderClient client = federation.newDataProvider().create();
        client.post("any-token");
        client.post("any-token");
        assertEquals(2, answers(client.clientId(), "inactive"));
        assertEquals(0, answers(client.clientId(), "active"));
    }

    /** Else a stranger could make as many series as he likes. */
    @Test
    void callerWhoHasNotAuthenticatedIsNotNamed() {
        DataProviderClient client = federation.newDataProvider().create();
        double before = answers("none", "invalid_client");
        Http.send(Http.form(client.url(), "client_id=" + client.clientId() + "&client_secret=wrong&token=t"));
        assertEquals(before + 1, answers("none", "invalid_client"));
        assertEquals(0, answers(client.clientId(), "invalid_client"));
    }

    private double answers(String client, String outcome) {
        return meters.sum("checktoken_answers_seconds_count{client=\"%s\",outcome=\"%s\",realm=\"%s\"}"
                .formatted(client, outcome, federation.realm()));
    }
}
