package io.github.checktoken.login.gate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server that was built with another provider of authentication sessions does not start, and says why. */
@Tag("long")
class OtherSessionProviderIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));
    private static final Path JAR = Path.of(System.getProperty("checktoken.jar", ""));
    private static final String NAME = "keycloak-other-provider";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--spi-authentication-sessions--provider=infinispan",
                "--spi-authentication-sessions--provider-default=infinispan",
                "--spi-authentication-sessions--checktoken--enabled=false"
            })
    void serverDoesNotStart(String option) throws IOException {
        List<String> arguments = new ArrayList<>(new Database(HOME).arguments());
        arguments.add(option);
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));

        assertThrows(IllegalStateException.class, () -> start(arguments, environment));
        String log = Files.readString(HOME.resolveSibling(NAME + ".log"));
        assertTrue(log.contains("checktoken must guard the authentication sessions"), log);
    }

    private static void start(List<String> arguments, Map<String, String> environment)
            throws IOException, InterruptedException {
        new ProductionServer(HOME.getParent(), NAME, List.of(JAR), arguments, List.of(), environment).close();
    }
}
