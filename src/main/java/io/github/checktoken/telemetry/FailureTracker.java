package io.github.checktoken.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells when something begins to fail and when it works again, so that a log has a line for each and not for every call. */
public final class FailureTracker {

    /** The one that is longest without a failure is forgotten first. */
    private static final int MAX = 1000;

    private final Map<String, Integer> failures = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > MAX;
        }
    });

    /** @return whether it worked before */
    public boolean recordFailure(String what) {
        return failures.merge(what, 1, Integer::sum) == 1;
    }

    /** @return how often it has failed since it last worked; 0 when it has not */
    public int recordSuccess(String what) {
        Integer failed = failures.remove(what);
        return failed == null ? 0 : failed;
    }
}
