package io.github.checktoken.introspection.endpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** With this option, Keycloak's own metadata name inner addresses to who asks at one: a data provider in the same cluster. */
@Tag("long")
class BackchannelAddressIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));
    private static final Path JAR = Path.of(System.getProperty("checktoken.jar", ""));

    @Test
    void metadataNameTheAddressAtWhichTheyAreAsked() throws IOException, InterruptedException {
        try (ProductionServer server = new ProductionServer(
                HOME.getParent(),
                "keycloak-backchannel",
                List.of(JAR),
                Stream.concat(new Database(HOME).arguments().stream(), Stream.of("--hostname-backchannel-dynamic=true"))
                        .toList(),
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home")))) {
            String realm = new FreshRealm(server).url();
            String inner = realm.contains("localhost")
                    ? realm.replace("localhost", "127.0.0.1")
                    : realm.replace("127.0.0.1", "localhost");
            assertAddresses(realm, realm);
            assertAddresses(realm, inner);
        }
    }

    private static void assertAddresses(String realm, String asked) {
        JsonNode metadata =
                Http.json(Http.send(Http.request(asked + "/api/v2/.well-known/oauth-authorization-server")));
        assertEquals(realm + "/api/v2", metadata.path("issuer").asText());
        assertEquals(
                asked + "/api/v2/checktoken",
                metadata.path("introspection_endpoint").asText());
        assertEquals(
                asked + "/protocol/openid-connect/certs",
                metadata.path("jwks_uri").asText());
    }
}
