package io.github.checktoken.userstore;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many calls of this node may ask user stores at the same time, so that a store that hangs leaves threads to logins
 * and to other realms. Keycloak has at least 50 threads for requests, unless {@code http-pool-max-threads} says less.
 */
final class WaitingCalls {

    static final int OF_A_REALM = 12;
    static final int OF_ALL_REALMS = 24;

    private final Semaphore all = new Semaphore(OF_ALL_REALMS);
    private final Map<String, Integer> byRealm = new ConcurrentHashMap<>();

    /** @return whether this call may ask; then {@link #end} must follow */
    boolean begin(String realm) {
        if (!all.tryAcquire()) {
            return false;
        }
        if (byRealm.merge(realm, 1, Integer::sum) > OF_A_REALM) {
            end(realm);
            return false;
        }
        return true;
    }

    void end(String realm) {
        byRealm.computeIfPresent(realm, (id, calls) -> calls == 1 ? null : calls - 1);
        all.release();
    }
}
