package io.github.checktoken.introspection.token;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A session ends while its tokens are in use. Keycloak may then put it back into its cache: a request that does not find
 * it there any more reads it from the database before the deletion is committed.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionInUseIT {

    private static final int ROUNDS = 8;
    private static final int CHECKS = 3;
    private static final int CONNECTIONS = 8;

    private final FreshRealm realm;
    private final DataProviderClient dataProvider;

    SessionInUseIT(KeycloakServer server) throws JOSEException {
        realm = new FreshRealm(server);
        dataProvider = new NewDataProvider(
                        realm.admin(),
                        realm.url(),
                        new RSAKeyGenerator(2048).keyID("enc").generate())
                .defaultScopes()
                .create();
    }

    /** Keycloak stores a session before anybody has a token of it. */
    @Test
    void tokensOfNewSessionsAreActive() {
        assertActive(40);
    }

    @Test
    @Tag("long")
    void tokensOfAThousandNewSessionsAreActive() {
        assertActive(1_000);
    }

    private void assertActive(int logins) {
        // Keycloak makes the keys of a new realm with its first login; several at once would make several.
        SignedInPerson.in(realm);
        List<String> people =
                Stream.generate(() -> realm.newPerson()).limit(CONNECTIONS).toList();
        ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<Boolean>> active = IntStream.range(0, logins)
                    .mapToObj(login -> connections.submit(() -> dataProvider
                            .check(realm.serviceProvider()
                                    .signIn(people.get(login % CONNECTIONS), "openid")
                                    .accessToken())
                            .active()))
                    .toList();
            for (Future<Boolean> answer : active) {
                assertTrue(answer.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            connections.shutdownNow();
        }
    }

    @Test
    void besideFourCalls() {
        assertEnds(SessionEnding.SESSION_DELETED, 3, users -> users.check(4, dataProvider));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void besideTwoCalls(SessionEnding ending) {
        assertEnds(ending, ROUNDS, users -> users.check(2, dataProvider));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void besideTwentyCalls(SessionEnding ending) {
        assertEnds(ending, ROUNDS, users -> users.check(20, dataProvider));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void besideARefresh(SessionEnding ending) {
        assertEnds(ending, ROUNDS, users -> users.refresh(1, realm.serviceProvider()));
    }

    private void assertEnds(SessionEnding ending, int rounds, UnaryOperator<SessionUsers> use) {
        int survived = 0;
        for (int round = 0; round < rounds; round++) {
            survived += survives(ending, use) ? 1 : 0;
        }
        assertEquals(0, survived, "sessions of " + rounds + " that go on");
    }

    private boolean survives(SessionEnding ending, UnaryOperator<SessionUsers> use) {
        SignedInPerson person = SignedInPerson.in(realm);
        ending.prepare(person);
        assertTrue(dataProvider.check(person.tokens().accessToken()).active());
        boolean active = false;
        SessionUsers users = use.apply(new SessionUsers(person.tokens()));
        try (users) {
            TimeUnit.MILLISECONDS.sleep(100);
            ending.end(person);
            for (int check = 0; check < CHECKS; check++) {
                active |= isActive(person, users);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return active | isActive(person, users);
    }

    /** @return whether the tokens from before, or those that the session still gives, are active */
    private boolean isActive(SignedInPerson person, SessionUsers users) {
        return dataProvider.check(person.tokens().accessToken()).active()
                | dataProvider.check(users.tokens().accessToken()).active();
    }
}
