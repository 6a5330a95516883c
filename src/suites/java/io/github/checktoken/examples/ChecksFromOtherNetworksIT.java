package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Keytool;
import io.github.checktoken.support.server.ProductionServer;
import io.github.checktoken.support.server.TestAuthority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A data provider in a network in which it does not reach the server's public name as usual. */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class ChecksFromOtherNetworksIT {

    private static final int CHECKS = 5;
    private static final Map<String, Integer> ANSWERED = Map.of("active", CHECKS);
    private static final Map<String, Integer> UNREACHABLE = Map.of("unreachable", CHECKS);

    private static final int INNER_PORT = 8443;
    private static final String PROXY = "proxy.example.internal";
    private static final int PROXY_PORT = 3128;

    private final Federation federation;
    private final TestAuthority authority;
    private final int port;

    ChecksFromOtherNetworksIT(Federation federation, TestAuthority authority) {
        this.federation = federation;
        this.authority = authority;
        this.port = federation.server().secureUrl().getPort();
    }

    @BeforeEach
    void givePublicName() {
        givePublicName(federation);
    }

    @AfterEach
    void takePublicName() {
        changeAttributes(federation, attributes -> attributes.remove("frontendUrl"));
    }

    /** The metadata name public addresses. */
    @ParameterizedTest
    @EnumSource
    void insideTheClusterItConnectsToTheInnerName(ManyChecks library) throws IOException {
        assertAnsweredInsideTheCluster(library, federation, port);
    }

    @Test
    void insideTheClusterMetadataMayNameInnerAddresses() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("keycloak.home"));
        int innerPort = DistributionServer.freePort();
        Stream<String> arguments = Stream.of(
                "--hostname-backchannel-dynamic=true",
                "--https-port=" + innerPort,
                "--https-key-store-file=" + authority.serverKeyStore(),
                "--https-key-store-password=" + Keytool.PASSWORD);
        try (ProductionServer server = new ProductionServer(
                home.getParent(),
                "keycloak-inner-addresses",
                List.of(Path.of(System.getProperty("checktoken.jar"))),
                Stream.concat(new Database(home).arguments().stream(), arguments)
                        .toList(),
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home")))) {
            Federation own = Federation.copy(server, 1);
            givePublicName(own);
            for (ManyChecks library : ManyChecks.values()) {
                assertAnsweredInsideTheCluster(library, own, innerPort);
            }
        }
    }

    private void assertAnsweredInsideTheCluster(ManyChecks library, Federation realm, int port) throws IOException {
        try (HostNetwork network = new HostNetwork();
                Relay loadBalancer = Relay.loadBalancer(network.machine(), INNER_PORT, port)) {
            network.name(TestAuthority.INNER_NAME, network.machine());
            Map<String, String> environment = environment(realm);
            assertEquals(UNREACHABLE, library.run(network.prefix(), environment));

            environment.put("CONNECT_TO", "https://" + TestAuthority.INNER_NAME + ":" + INNER_PORT);

            assertEquals(ANSWERED, library.run(network.prefix(), environment));
        }
    }

    @ParameterizedTest
    @EnumSource
    void behindForwardProxyItConnectsThroughTheProxy(ManyChecks library) throws IOException {
        String wanted = TestAuthority.PUBLIC_NAME + ":443";
        try (HostNetwork network = new HostNetwork();
                Relay proxy = Relay.forwardProxy(network.machine(), PROXY_PORT, port, wanted)) {
            network.name(PROXY, network.machine());
            Map<String, String> environment = environment(federation);
            assertEquals(UNREACHABLE, library.run(network.prefix(), environment));

            environment.put("HTTPS_PROXY", "http://" + PROXY + ":" + PROXY_PORT);
            environment.merge(
                    "JDK_JAVA_OPTIONS",
                    " -Dhttps.proxyHost=" + PROXY + " -Dhttps.proxyPort=" + PROXY_PORT,
                    String::concat);

            assertEquals(ANSWERED, library.run(network.prefix(), environment));
            assertEquals(Set.of(wanted), proxy.asked());
        }
    }

    @ParameterizedTest
    @EnumSource
    void withDeadIpv6ItConnectsToTheAddressOfIpv4(ManyChecks library) throws IOException {
        try (HostNetwork network = new HostNetwork();
                Relay loadBalancer = Relay.loadBalancer(network.machine(), 443, port)) {
            network.name(TestAuthority.PUBLIC_NAME, HostNetwork.DEAD_ADDRESS);
            network.name(TestAuthority.PUBLIC_NAME, network.machine());
            assertFirstAddressIsDead(network);

            assertEquals(ANSWERED, library.run(network.prefix(), environment(federation)));
        }
    }

    /** It neither accepts nor refuses a connection within two seconds (timeout's status 124). */
    private static void assertFirstAddressIsDead(HostNetwork network) {
        Path here = Path.of("").toAbsolutePath();
        ExampleRun names = ExampleRun.of(network.prefix() + "getent ahosts " + TestAuthority.PUBLIC_NAME + " #", here);
        assertTrue(names.output().startsWith(HostNetwork.DEAD_ADDRESS + " "), names::output);
        String connection = "timeout 2 bash -c '</dev/tcp/" + HostNetwork.DEAD_ADDRESS + "/443' #";
        assertEquals(124, ExampleRun.of(network.prefix() + connection, here).status());
    }

    private Map<String, String> environment(Federation realm) {
        return ManyChecks.environment(realm, authority, publicUrl() + "/realms/" + realm.realm(), CHECKS);
    }

    private static void givePublicName(Federation realm) {
        changeAttributes(realm, attributes -> attributes.put("frontendUrl", publicUrl()));
    }

    private static String publicUrl() {
        return "https://" + TestAuthority.PUBLIC_NAME;
    }

    private static void changeAttributes(Federation realm, Consumer<ObjectNode> change) {
        realm.admin().update("", json -> change.accept(json.withObject("/attributes")));
    }
}
