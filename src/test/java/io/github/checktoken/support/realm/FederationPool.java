package io.github.checktoken.support.realm;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.checktoken.support.server.KeycloakServer;

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

    /** A demo realm that goes back to the pool when this is closed. */
    public record Loan(Federation federation, FederationPool pool) implements AutoCloseable {

        @Override
        public void close() {
            pool.idle.add(federation);
        }
    }

    public Loan lend() {
        Federation federation = idle.poll();
        return new Loan(
                federation == null ? prepare(Federation.copy(server, realms.incrementAndGet())) : federation, this);
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
