package io.github.checktoken.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map for several threads that forgets the entry that was used least recently if there are too many. */
public final class RecentlyUsedMap {

    private RecentlyUsedMap() {}

    /** @param max the most entries */
    public static <K, V> Map<K, V> atMost(int max) {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > max;
            }
        });
    }
}
