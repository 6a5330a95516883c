package io.github.checktoken.stores;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.checktoken.introspection.outage.FailingDatabase;
import io.github.checktoken.introspection.secretguess.SpellingsOfAClient;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.MariaDbServer;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A Keycloak in production mode whose database is MariaDB. */
@Tag("stores")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MariaDbIT {

    /** More at once in one session would be more than a session remembers. */
    private static final int IN_A_SESSION = 4;

    private static final int SESSIONS = 2;
    private static final int ROUNDS = 25;

    private MariaDbServer database;
    private ProductionServer server;
    private Federation federation;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        MariaDbServer.mustBeInstalled();
        database = new MariaDbServer();
        List<String> arguments = new ArrayList<>(database.arguments());
        arguments.addAll(FailingDatabase.LIMITS);
        arguments.add("--log-level=" + KeycloakServer.LOG_LEVEL);
        server = new ProductionServer(
                Path.of(System.getProperty("keycloak.home")).getParent(),
                "keycloak-mariadb",
                List.of(Path.of(System.getProperty("checktoken.jar"))),
                arguments,
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home")));
        federation = Federation.copy(server, 1);
        federation.letPeopleSignInAgainAtOnce();
        System.out.printf("MariaDB %s%n", database.version());
    }

    /** Nothing confidential may be in the log. */
    @AfterAll
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        if (database != null) {
            database.close();
        }
        if (server != null) {
            assertEquals(List.of(), LogSearch.search(server.log()));
        }
    }

    @Test
    void dataProviderLearnsWhoSignedIn() {
        Answer answer = federation.tax().check(token());
        assertEquals(true, answer.introspection().get("active"));
        assertEquals("Moreau", answer.introspection().get("family_name"));
    }

    @Test
    void pinIsSetUsedAndRefused() {
        PinRealm realm = new PinRealm(server);
        String person = realm.newPersonWithPin();
        assertEquals(1, realm.pins(person).size());
        realm.signedIn(person);
        Browser browser = realm.browser();
        HttpResponse<String> page =
                realm.give(browser, realm.givePassword(browser, PinRealm.PIN_FLOW, person), PinRealm.WRONG_PIN);
        assertEquals(200, page.statusCode());
        assertEquals(List.of("invalid_user_credentials"), realm.errors("LOGIN_ERROR", person));
    }

    /** Those of one session change the same rows of the database. */
    @Test
    void refreshTokensThatAreUsedAtOnceAllAnswerAsTheirLogin() throws Exception {
        LevelRealm realm = new LevelRealm(server);
        List<Tokens> tokens = new ArrayList<>();
        for (int session = 0; session < SESSIONS; session++) {
            String person = realm.newPerson();
            Browser browser = realm.browser();
            for (int i = 0; i < IN_A_SESSION; i++) {
                tokens.add(realm.signIn(browser, person, LevelRealm.STEPS, realm.request(LevelRealm.STEPS)));
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(tokens.size());
        for (int round = 0; round < ROUNDS; round++) {
            List<Callable<Tokens>> refreshes = tokens.stream()
                    .map(each -> (Callable<Tokens>)
                            () -> realm.client(LevelRealm.STEPS).refresh(each))
                    .toList();
            List<Tokens> refreshed = new ArrayList<>();
            for (Future<Tokens> refresh : threads.invokeAll(refreshes)) {
                refreshed.add(refresh.get());
            }
            tokens = refreshed;
            assertEquals(
                    List.of("pwd low"),
                    tokens.stream()
                            .map(each -> each.amr() + " " + each.acr())
                            .distinct()
                            .toList());
        }
        threads.shutdown();
    }

    @Test
    void nullCharactersAndLongValuesAreDocumentedErrors() throws IOException {
        new UnusualValues(server, federation).assertAreRefused();
    }

    /** MariaDB finds a client in upper or lower case, with or without accents, and with spaces at the end. */
    @Test
    void allSpellingsOfAClientShareOneCount() {
        DataProviderClient water =
                federation.newDataProvider().named("dp-water").create();
        for (String spelling : List.of("DP-WATER", "dp-wáter")) {
            Answer answer = new DataProviderClient(federation.url(), spelling, water.secret(), water.privateKey())
                    .check(token());
            assertEquals(true, answer.introspection().get("active"));
            assertEquals("dp-water", answer.payload().get("aud"));
        }
        SpellingsOfAClient spellings = SpellingsOfAClient.ofCaseAndAccents(water);
        spellings.assertAllAreTheClient();
        spellings.assertAllShareOneCount();
    }

    @Test
    void databaseThatIsKilledAndStartsAgain() throws Exception {
        failing().restarts();
    }

    @Test
    void databaseThatClosesAllConnections() throws Exception {
        failing().closesConnections();
    }

    @Test
    void databaseThatClosesConnectionsInUse() throws Exception {
        failing().closesConnectionsInUse();
    }

    @Test
    void databaseThatHangs() throws Exception {
        failing().hangs();
    }

    private FailingDatabase failing() {
        return new FailingDatabase(database, federation.url(), federation.tax(), token());
    }

    private String token() {
        return federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
    }
}
