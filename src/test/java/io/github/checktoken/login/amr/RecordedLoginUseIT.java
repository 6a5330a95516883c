package io.github.checktoken.login.amr;

import java.util.ArrayList;
import java.util.List;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests that logins are recorded only in realms in which something reads the record. */
@ExtendWith(KeycloakExtension.class)
class RecordedLoginUseIT {

    private final KeycloakServer server;

    RecordedLoginUseIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeEach
    void requireDatabase() {
        assumeTrue(server instanceof DistributionServer, "needs the server's database");
    }

    @Test
    void realmThatUsesNothingHasNoNotes() {
        FreshRealm realm = new FreshRealm(server);
        assertEquals(List.of(), notes(realm.signInWithPassword(realm.newPerson())));
    }

    @Test
    void realmWithAMapperInAScopeHasNotesOfEachClient() {
        LevelRealm realm = new LevelRealm(server);
        Tokens tokens = realm.signIn(
                realm.browser(), realm.newPerson(), LevelRealm.NO_LEVEL, realm.request(LevelRealm.NO_LEVEL));
        assertFalse(notes(tokens).isEmpty());
    }

    /** @return the names of this project's notes in the token's user session and client session */
    private List<String> notes(Tokens tokens) {
        String session = Tokens.claims(tokens.accessToken()).path("sid").asText();
        List<String> notes = new ArrayList<>();
        for (String table : List.of("OFFLINE_USER_SESSION", "OFFLINE_CLIENT_SESSION")) {
            List<String> data = ((DistributionServer) server)
                    .database()
                    .values("SELECT DATA FROM " + table + " WHERE USER_SESSION_ID = '" + session + "'");
            assertEquals(1, data.size());
            Http.json(data.get(0)).path("notes").fieldNames().forEachRemaining(notes::add);
        }
        return notes.stream().filter(note -> note.startsWith("checktoken.")).toList();
    }
}
