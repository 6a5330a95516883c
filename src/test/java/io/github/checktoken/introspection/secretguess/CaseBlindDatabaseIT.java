package io.github.checktoken.introspection.secretguess;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * MariaDB, MySQL and SQL Server find a client by its client_id in upper or lower case. During this test, the embedded
 * database does so, too.
 */
@ExtendWith(KeycloakExtension.class)
@Isolated
class CaseBlindDatabaseIT {

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
        SpellingsOfAClient.ofCase(dataProvider).assertAllShareOneCount();
    }
}
