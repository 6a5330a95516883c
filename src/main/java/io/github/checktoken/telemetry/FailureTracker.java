package io.github.checktoken.telemetry;

import java.util.Map;

/**
 * Notices when something begins to fail and when it works again, so that both are logged once and not at every call.
 */
public final class FailureTracker {

    /**
     * The most failures that are tracked. If there are more, the one that has not failed for the longest time is
     * forgotten.
     */
    private static final int MAX_ENTRIES = 10_000;

    private final Map<Object, Integer> failures = RecentlyUsedMap.atMost(MAX_ENTRIES);

    /**
     * @param id what has failed
     * @return whether this is its first failure since it last worked
     */
    public boolean recordFailure(Object id) {
        return failures.merge(id, 1, Integer::sum) == 1;
    }

    /**
     * @param id what has worked
     * @return how often it had failed since it last worked; 0 if it had not failed
     */
    public int recordSuccess(Object id) {
        Integer failed = failures.remove(id);
        return failed == null ? 0 : failed;
    }
}
