package io.github.checktoken.cluster;

import io.github.checktoken.introspection.outage.FailingDatabase;
import io.github.checktoken.support.realm.Federation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A PostgreSQL that hangs: it accepts connections and answers nothing. Or it closes all connections, or is killed. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HangingDatabaseIT {

    private final Cluster cluster;

    HangingDatabaseIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void callsWaitForTheLimitsAndSoonGet503AtOnce() throws Exception {
        String token = token(1);
        // Calls on open connections wait until the database continues, and the load of another class has opened many.
        cluster.postgres().closeConnections();
        awaitAnAnswerOfEachNode(token);
        postgres(1, token).hangs();
        awaitAnAnswerOfEachNode(token);
        cluster.awaitEntrance();
    }

    @Test
    void answersAreRightAgainAsSoonAsKeycloaksOwn() throws Exception {
        postgres(0, token(0)).closesConnections();
        cluster.awaitEntrance();
    }

    @Test
    void answersAreRightAgainAsSoonAsKeycloaksOwnAfterARestart() throws Exception {
        postgres(0, token(0)).restarts();
        cluster.awaitEntrance();
    }

    private void awaitAnAnswerOfEachNode(String token) throws Exception {
        Cluster.await(
                "an answer of each node",
                () -> cluster.federation(1).tax().post(token).statusCode() == 200
                        && cluster.federation(0).tax().post(token).statusCode() == 200);
    }

    private FailingDatabase postgres(int node, String token) {
        Federation federation = cluster.federation(node);
        return new FailingDatabase(cluster.postgres(), federation.url(), federation.tax(), token);
    }

    private String token(int node) {
        return cluster.federation(node)
                .town()
                .signIn(cluster.browser(() -> node), "camille", Federation.ALL_SCOPES)
                .accessToken();
    }
}
