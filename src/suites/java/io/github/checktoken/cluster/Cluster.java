package io.github.checktoken.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

import io.github.checktoken.cluster.load.HaproxyServer;
import io.github.checktoken.introspection.outage.FailingDatabase;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.PostgresServer;

/**
 * Two nodes that share one PostgreSQL, behind HAProxy, whose address all nodes have as their {@code --hostname}. A test
 * calls HAProxy or one of the nodes.
 */
final class Cluster implements AutoCloseable {

    static final Duration LIMIT = Duration.ofSeconds(60);

    /**
     * A line of Infinispan's log when a node comes or goes; it has the number of nodes. If it is about a merged view, the
     * views that it was made of follow.
     */
    private static final Pattern VIEW = Pattern.compile("ISPN0000(?:93|94): .*?\\|\\d+] \\((\\d+)\\)");

    private final PostgresServer postgres = new PostgresServer();
    private final HaproxyServer haproxy = new HaproxyServer();
    private final List<DistributionServer> nodes = new ArrayList<>();

    Cluster() throws Exception {
        this(null);
    }

    /** @param previousJar an earlier JAR of this project, with which the first node begins; null for none */
    Cluster(Path previousJar) throws Exception {
        try {
            nodes.add(
                    previousJar == null
                            ? DistributionServer.node("keycloak-node-0", arguments())
                            : DistributionServer.nodeWith(previousJar, "keycloak-previous", arguments()));
            String second = previousJar == null ? "keycloak-node-1" : "keycloak-new";
            nodes.add(
                    Boolean.getBoolean("native")
                            ? DistributionServer.nodeWithNativeCrypto(second, arguments())
                            : DistributionServer.node(second, arguments()));
            haproxy.start(nodes);
            awaitMembers(2);
            awaitEntrance();
            federation().letPeopleSignInAgainAtOnce();
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    /** The metrics are those of the page on operations. */
    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(postgres.arguments());
        arguments.addAll(FailingDatabase.LIMITS);
        arguments.addAll(List.of(
                "--cache=ispn",
                "--cache-embedded-network-bind-address=127.0.0.1",
                "--health-enabled=true",
                "--metrics-enabled=true",
                "--http-metrics-histograms-enabled=true",
                "--http-management-scheme=http",
                "--hostname=" + haproxy.baseUrl()));
        return arguments;
    }

    /** Starts a node that does not find the others. The caller stops it. */
    DistributionServer lonelyNode(String name, Map<String, String> environment) throws IOException {
        return DistributionServer.node(name, arguments(), environment);
    }

    /** Starts a further node, which HAProxy does not know. The caller stops it. */
    DistributionServer furtherNode(String name, List<String> more, Map<String, String> environment) throws Exception {
        List<String> arguments = new ArrayList<>(arguments());
        arguments.addAll(more);
        int before = members(nodes.get(0));
        DistributionServer node = DistributionServer.node(name, arguments, environment);
        try {
            awaitMembers(before + 1);
            return node;
        } catch (Exception | AssertionError e) {
            node.close();
            throw e;
        }
    }

    PostgresServer postgres() {
        return postgres;
    }

    /** HAProxy, which sends each request to another node. */
    KeycloakServer entrance() {
        return haproxy;
    }

    /** Gives HAProxy further options for each node. */
    void restartEntrance(String options) throws Exception {
        haproxy.restart(options);
        awaitEntrance();
    }

    /** The demo realm behind HAProxy. */
    Federation federation() {
        return new Federation(haproxy);
    }

    DistributionServer node(int node) {
        return nodes.get(node);
    }

    /** The demo realm at one node. */
    Federation federation(int node) {
        return new Federation(nodes.get(node));
    }

    /** @return a browser that sends each request to the node that is chosen then */
    Browser browser(IntSupplier node) {
        return browserAt(() -> nodes.get(node.getAsInt()));
    }

    /** @return a browser that sends each request to the node that is chosen then, which may be a further one */
    Browser browserAt(Callable<DistributionServer> node) {
        return new Browser(haproxy, address -> {
            try {
                return at(node.call().baseUrl(), address);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static String at(URI node, String address) {
        return address.replaceFirst("^http://localhost:\\d+", node.toString());
    }

    /** Waits until each node that runs knows this number of nodes. */
    void awaitMembers(int number) throws Exception {
        await("a cluster of " + number, () -> {
            for (DistributionServer node : nodes) {
                if (node.isAlive() && members(node) != number) {
                    return false;
                }
            }
            return true;
        });
    }

    /** @return the number of nodes in the last view of this node */
    static int members(DistributionServer node) throws IOException {
        return VIEW.matcher(Files.readString(node.log()))
                .results()
                .map(view -> Integer.valueOf(view.group(1)))
                .reduce(0, (older, newer) -> newer);
    }

    /** Waits until the database again has both nodes, which a node that starts would look for there. */
    void awaitRegistration() throws Exception {
        await("both nodes in the database", () -> {
            try {
                postgres.execute("DO $$ BEGIN IF (SELECT count(*) FROM jgroups_ping) < 2 THEN"
                        + " RAISE EXCEPTION 'not yet'; END IF; END $$");
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        });
    }

    /** Waits until HAProxy sends requests to every node. */
    void awaitEntrance() throws Exception {
        await("HAProxy with all nodes", () -> {
            List<String> seen = new ArrayList<>();
            for (int call = 0; call < 2 * nodes.size(); call++) {
                federation()
                        .tax()
                        .post("any-token")
                        .headers()
                        .firstValue(HaproxyServer.NODE)
                        .ifPresent(seen::add);
            }
            for (int node = 0; node < nodes.size(); node++) {
                if (!seen.contains(HaproxyServer.name(node))) {
                    return false;
                }
            }
            return true;
        });
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            Thread.sleep(100);
        }
    }

    /** Stops everything. Then nothing confidential may be in the nodes' logs. */
    @Override
    public void close() throws IOException {
        haproxy.close();
        nodes.forEach(DistributionServer::close);
        postgres.close();
        List<String> found = new ArrayList<>();
        for (DistributionServer node : nodes) {
            found.addAll(LogSearch.search(node.log()));
        }
        if (!found.isEmpty()) {
            throw new AssertionError(
                    "The nodes' logs have values that the tests sent or received:\n" + String.join("\n", found));
        }
    }
}
