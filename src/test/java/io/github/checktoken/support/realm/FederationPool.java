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
        idle.add(letPeopleSignInQuickly(new Federation(server)));
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
                federation == null
                        ? letPeopleSignInQuickly(Federation.copy(server, realms.incrementAndGet()))
                        : federation,
                this);
    }

    /**
     * Switches the demo realm's brute-force protection off. It rejects a person who signs in again before it has
     * recorded the last login, and tests do that. Tests that need it switch it on. The realms sign tokens with ES256: the
     * JVM of the tests compiles code quickly rather than well, and a signature with RSA takes 25 times as long there.
     */
    private static Federation letPeopleSignInQuickly(Federation federation) {
        federation
                .admin()
                .update("", realm -> realm.put("bruteForceProtected", false).put(SIGNATURE_ALGORITHM, "ES256"));
        new AdminApi(federation.server(), federation.upstream())
                .update("", realm -> realm.put(SIGNATURE_ALGORITHM, "ES256"));
        return federation;
    }
}
