package io.github.checktoken.login.amr;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests that refreshes at the same time all answer as their login did. */
@ExtendWith(KeycloakExtension.class)
class ParallelRefreshIT {

    private static final int AT_ONCE = 4;
    private static final int ROUNDS = 100;

    private final LevelRealm realm;

    ParallelRefreshIT(KeycloakServer server) {
        this.realm = new LevelRealm(server);
    }

    @Test
    void oneRefreshTokenThatIsUsedSeveralTimesAtOnceAnswersEachTime() {
        Tokens tokens = realm.signIn(realm.browser(), realm.newPerson(), STEPS, realm.request(STEPS));
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        List<String> told = new ArrayList<>();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                List<CompletableFuture<Tokens>> refreshes = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    refreshes.add(CompletableFuture.supplyAsync(
                            () -> realm.client(STEPS).refresh(tokens), threads));
                }
                refreshes.forEach(refresh ->
                        told.add(refresh.join().amr() + " " + refresh.join().acr()));
            }
        } finally {
            threads.shutdown();
        }
        assertEquals(AT_ONCE * ROUNDS, told.stream().filter("pwd low"::equals).count(), () -> "not all told: " + told);
    }
}
