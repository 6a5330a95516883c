package io.github.checktoken.dataprovider;

import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

/** An attribute without a value is not in the answer, at whatever depth: null, blank text, an empty list or object. */
final class EmptyClaimFilter {

    /** Unicode's, no-break spaces among them, which {@link String#isBlank} takes for letters. */
    private static final Pattern BLANK = Pattern.compile("\\p{IsWhite_Space}*");

    private EmptyClaimFilter() {}

    /** Removes them, and what is empty without them. */
    static void removeFrom(Map<String, Object> claims) {
        removeFrom(claims.values());
    }

    private static void removeFrom(Collection<?> values) {
        values.removeIf(EmptyClaimFilter::isEmptyWithoutThem);
    }

    private static boolean isEmptyWithoutThem(Object value) {
        if (value instanceof Map<?, ?> map) {
            removeFrom(map.values());
            return map.isEmpty();
        }
        if (value instanceof Collection<?> list) {
            removeFrom(list);
            return list.isEmpty();
        }
        return value == null
                || value instanceof String text && BLANK.matcher(text).matches();
    }
}
