package io.github.checktoken.beside;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * People sign in with extensions of others, which stand in one folder, as well in a realm that ours guards as they do
 * without our JAR. One that cannot be had is skipped.
 */
@Tag("beside")
class BesideIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));

    private static final List<OtherExtension> INSTALLED = Arrays.stream(OtherExtension.values())
            .filter(extension -> extension.jar().isPresent())
            .toList();

    private static Installation without;
    private static Installation with;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        without = new Installation("beside-without", false);
        with = new Installation("beside-with", true);
    }

    @AfterAll
    static void stop() throws IOException {
        without.close();
        with.close();
        assertEquals(List.of(), LogSearch.search(with.server.log()));
    }

    static List<Journey> journeys() {
        return Journey.all();
    }

    @ParameterizedTest
    @MethodSource("journeys")
    void loginEndsAsWithoutOurJar(Journey journey) {
        assumeTrue(INSTALLED.contains(journey.extension()), () -> journey.extension() + " is not to be had");
        assertEquals(journey.end(), journey.steps().apply(without.realm(journey.flow())), "without our JAR");
        assertEquals(journey.end(), journey.steps().apply(with.realm(journey.flow())), "in a guarded realm");
    }

    /** A server with all extensions of others. */
    private static final class Installation {

        private final ProductionServer server;
        private final MailServer mailServer;
        private final boolean guarded;
        private final Map<String, BesideRealm> realms = new HashMap<>();

        Installation(String name, boolean guarded) throws IOException, InterruptedException {
            this.guarded = guarded;
            Stream<Path> ours = guarded ? Stream.of(Path.of(System.getProperty("checktoken.jar"))) : Stream.empty();
            List<Path> jars = Stream.concat(
                            ours, INSTALLED.stream().map(OtherExtension::jar).flatMap(Optional::stream))
                    .toList();
            server = new ProductionServer(
                    HOME.getParent(),
                    name,
                    jars,
                    new Database(HOME).arguments(),
                    List.of(),
                    Map.of("JAVA_HOME", System.getProperty("java.home")));
            mailServer = new MailServer(server);
        }

        BesideRealm realm(String flow) {
            return realms.computeIfAbsent(flow, name -> new BesideRealm(server, mailServer, name, guarded));
        }

        void close() {
            mailServer.close();
            server.close();
        }
    }
}
