package io.github.checktoken.support.realm;

import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.server.KeycloakServer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Lends each test class a demo realm that no other class uses meanwhile. So classes that change their realm, or look for
 * its events, can run side by side. There are never more realms than classes that run at the same time.
 */
public final class FederationPool {

    private static final String SIGNATURE_ALGORITHM = "defaultSignatureAlgorithm";

    private final KeycloakServer server;
    private final Queue<Federation> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger realms = new AtomicInteger(1);

    public FederationPool(KeycloakServer server) {
        this.server = server;
        Federation first = new Federation(server);
        first.admin().takeRoles();
        idle.add(prepare(first));
    }

    /** A demo realm that goes back to the pool when this is closed, if it has the settings that it had then. */
    public record Loan(Federation federation, Map<String, JsonNode> settings, FederationPool pool)
            implements AutoCloseable {

        /** Fails the class that has changed a setting, and not a class that gets the realm later. */
        @Override
        public void close() {
            Map<String, JsonNode> now = federation.settings();
            Set<Map.Entry<String, JsonNode>> changed = new HashSet<>(now.entrySet());
            changed.removeAll(settings.entrySet());
            assertEquals(Set.of(), changed, "Settings that the class has changed");
            assertEquals(settings.keySet(), now.keySet());
            pool.idle.add(federation);
        }
    }

    public Loan lend() {
        Federation idleOne = idle.poll();
        Federation federation = idleOne == null ? prepare(Federation.copy(server, realms.incrementAndGet())) : idleOne;
        return new Loan(federation, federation.settings(), this);
    }

    /**
     * Lets people sign in again at once, and the realms sign tokens with ES256: Keycloak's JVM compiles code quickly here
     * rather than well, and a signature with RSA takes 25 times as long there. The service providers get ordinary access
     * tokens, because tests read what is in them.
     */
    private static Federation prepare(Federation federation) {
        federation.letPeopleSignInAgainAtOnce();
        federation.updateRealms(realm -> realm.put(SIGNATURE_ALGORITHM, "ES256"));
        federation.giveOrdinaryTokens();
        return federation;
    }
}
