package io.github.checktoken.login.gate;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A server that was built with another provider of authentication sessions starts. It refuses logins of realms whose guard
 * is on, and says why; people of other realms sign in.
 */
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
                "--spi-authentication-sessions--checktoken--enabled=false",
                "--spi-authentication-sessions--checktoken--enabled=false"
                        + " --spi-events-listener--checktoken-session-id--enabled=false"
            })
    void onlyGuardedRealmsRefuseLogins(String options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(new Database(HOME).arguments());
        arguments.addAll(List.of(options.split(" ")));
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));

        try (ProductionServer server =
                new ProductionServer(HOME.getParent(), NAME, List.of(JAR), arguments, List.of(), environment)) {
            FreshRealm realm = new FreshRealm(server);
            HttpResponse<String> refused = realm.browser().get(realm.request());
            assertEquals(503, refused.statusCode());
            assertTrue(refused.body().contains("Nobody can sign in here at the moment"), refused.body());

            JsonNode guard = realm.admin().get("/checktoken/guard");
            assertTrue(guard.path("guarded").asBoolean(), guard::toString);
            assertFalse(guard.path("methodsTold").asBoolean(), guard::toString);
            assertTrue(guard.path("problem").asText().contains("chooses another provider"), guard::toString);

            realm.admin()
                    .update("", settings -> settings.withObject("/attributes").put("checktoken.login.gate", ""));
            assertEquals(200, realm.browser().get(realm.request()).statusCode());
        }
        String log = Files.readString(HOME.resolveSibling(NAME + ".log"));
        assertTrue(log.contains("are refused, because they cannot be guarded"), log);
    }
}
