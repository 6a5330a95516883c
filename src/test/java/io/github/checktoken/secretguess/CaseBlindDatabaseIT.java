package io.github.checktoken.secretguess;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.SourceAddressClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * MariaDB, MySQL and SQL Server find a client by its client_id in upper or lower case. During this test, the embedded
 * database does so, too.
 */
@ExtendWith(KeycloakExtension.class)
@Isolated
class CaseBlindDatabaseIT {

    private static final int MOST = 30;

    private final Database database;
    private final DataProviderClient dataProvider;

    CaseBlindDatabaseIT(Federation federation) {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's database");
        this.database = ((DistributionServer) federation.server()).database();
        this.dataProvider = federation.newDataProvider().create();
    }

    @BeforeEach
    void ignoreCase() {
        database.execute("ALTER TABLE CLIENT ALTER COLUMN CLIENT_ID SET DATA TYPE VARCHAR_IGNORECASE(255)");
    }

    @AfterEach
    void heedCase() {
        database.execute("ALTER TABLE CLIENT ALTER COLUMN CLIENT_ID SET DATA TYPE VARCHAR(255)");
    }

    @Test
    void allSpellingsOfAClientShareOneCount() {
        try (SourceAddressClient stranger = new SourceAddressClient("127.0.10.1", 1);
                SourceAddressClient elsewhere = new SourceAddressClient("127.0.10.2", 1)) {
            for (String spelling : spellings()) {
                assertEquals(401, post(stranger, spelling, "wrong for " + spelling));
            }
            assertEquals(401, post(stranger, dataProvider.clientId(), dataProvider.secret()));
            assertEquals(200, post(elsewhere, dataProvider.clientId().toUpperCase(Locale.ROOT), dataProvider.secret()));
        }
    }

    /** @return as many as start the lock, each with other letters in upper case */
    private Set<String> spellings() {
        Set<String> spellings = new HashSet<>();
        for (int pattern = 0; spellings.size() < MOST; pattern++) {
            StringBuilder spelling = new StringBuilder();
            int letters = 0;
            for (char c : dataProvider.clientId().toCharArray()) {
                boolean upper = Character.isLetter(c) && (pattern >> letters++ & 1) == 1;
                spelling.append(upper ? Character.toUpperCase(c) : c);
            }
            spellings.add(spelling.toString());
        }
        return spellings;
    }

    private int post(SourceAddressClient caller, String clientId, String secret) {
        Map<String, String> form = Map.of("client_id", clientId, "client_secret", secret, "token", "any-token");
        return caller.post(dataProvider.url(), form, null).status();
    }
}
