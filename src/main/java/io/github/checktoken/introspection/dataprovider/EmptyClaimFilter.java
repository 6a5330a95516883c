package io.github.checktoken.introspection.dataprovider;

import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

/** Removes claims without a value, at every depth: null, blank text, and empty lists and objects. */
final class EmptyClaimFilter {

    /** All white space of Unicode, including no-break spaces, which {@link String#isBlank} does not count as blank. */
    private static final Pattern BLANK = Pattern.compile("\\p{IsWhite_Space}*");

    private EmptyClaimFilter() {}

    /** Also removes lists and objects that become empty in this way. The map is changed. */
    static void removeFrom(Map<String, Object> claims) {
        removeFrom(claims.values());
    }

    private static void removeFrom(Collection<?> values) {
        values.removeIf(EmptyClaimFilter::isEmptyAfterRemoval);
    }

    private static boolean isEmptyAfterRemoval(Object value) {
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
