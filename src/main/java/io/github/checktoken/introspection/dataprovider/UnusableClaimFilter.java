package io.github.checktoken.introspection.dataprovider;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Removes claims with a value that is no usable JSON. A claim is removed as a whole, because a part of it could say
 * something else. Mappers of JSON type and claim names with many dots give such values, and Jackson fails at a depth of
 * 1,000.
 */
final class UnusableClaimFilter {

    /** How deep lists and objects may be nested in a claim. A claim that is a list of texts has depth 1. */
    static final int MAX_DEPTH = 20;

    private UnusableClaimFilter() {}

    /** @return why claims were removed from the map, by their names */
    static Map<String, OmissionCause> removeFrom(Map<String, Object> claims) {
        Map<String, OmissionCause> removed = new TreeMap<>();
        claims.forEach((name, value) -> problem(value, 0).ifPresent(cause -> removed.put(name, cause)));
        claims.keySet().removeAll(removed.keySet());
        return removed;
    }

    /** @param depth how many lists and objects are around the value */
    private static Optional<OmissionCause> problem(Object value, int depth) {
        Iterable<?> parts =
                value instanceof Map<?, ?> map ? map.values() : value instanceof Iterable<?> list ? list : null;
        if (parts == null || value instanceof JsonNode node && node.isValueNode()) {
            return isFinite(value) ? Optional.empty() : Optional.of(OmissionCause.NOT_FINITE);
        }
        return depth == MAX_DEPTH
                ? Optional.of(OmissionCause.TOO_DEEP)
                : StreamSupport.stream(parts.spliterator(), false)
                        .flatMap(part -> problem(part, depth + 1).stream())
                        .findFirst();
    }

    private static boolean isFinite(Object value) {
        Object number = value instanceof JsonNode node ? node.numberValue() : value;
        return !(number instanceof Double || number instanceof Float)
                || Double.isFinite(((Number) number).doubleValue());
    }
}
