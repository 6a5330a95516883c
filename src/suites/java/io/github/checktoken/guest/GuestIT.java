package io.github.checktoken.guest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.github.checktoken.guest.cost.LoginCost;
import io.github.checktoken.guest.journey.Journey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The JAR is a guest: a realm that uses nothing of it behaves as without it, and honest people in a guarded realm are
 * served no worse than by plain Keycloak.
 */
@Tag("guest")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GuestIT {

    private static final GuestReport REPORT = new GuestReport();

    private static GuestServers servers;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        servers = new GuestServers();
    }

    @AfterAll
    static void stop() {
        if (servers != null) {
            servers.close();
        }
        System.out.println("The report: " + REPORT.file());
    }

    /** Before the journeys, which leave more people and sessions on the server with the JAR: it has three realms of them. */
    @Test
    @Order(1)
    void loginAllocatesNoMoreThanWithoutTheJar() throws IOException {
        LoginCost cost = LoginCost.of(
                servers.realm(SetUp.WITHOUT_JAR),
                servers.server(SetUp.WITHOUT_JAR).pid(),
                servers.realm(SetUp.UNGUARDED),
                servers.server(SetUp.UNGUARDED).pid());
        REPORT.addCosts(cost.report());
        assertTrue(cost.isWithinTheLimit(), () -> String.join("\n", cost.report()));
    }

    @Test
    @Order(2)
    void journeysEndNoWorseThanWithoutTheJar() {
        String families = System.getProperty("guest.journeys", "");
        List<String> failures = new ArrayList<>();
        for (Journey journey : Journey.all()) {
            if (families.isEmpty() || List.of(families.split(",")).contains(journey.family())) {
                ComparedJourney compared = ComparedJourney.of(journey, servers);
                REPORT.add(compared);
                failures.addAll(compared.failures());
            }
        }
        assertEquals(List.of(), failures);
    }
}
