package io.github.checktoken.keycloak;

import java.util.List;

import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What a session holds when. */
@ExtendWith(KeycloakExtension.class)
class SessionNotesIT {

    private final Federation federation;

    SessionNotesIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void show() {
        assumeTrue(federation.server() instanceof DistributionServer);
        Tokens tokens = federation.town().signIn("camille", "openid");
        String sid = Tokens.claims(tokens.accessToken()).path("sid").asText();
        List<String> user = ((DistributionServer) federation.server())
                .database()
                .values("SELECT DATA FROM OFFLINE_USER_SESSION WHERE USER_SESSION_ID = '" + sid + "'");
        List<String> client = ((DistributionServer) federation.server())
                .database()
                .values("SELECT DATA FROM OFFLINE_CLIENT_SESSION WHERE USER_SESSION_ID = '" + sid + "'");
        assertEquals(List.of(), List.of(user, client));
    }
}
