package io.github.checktoken.introspection.endpoint;

import java.util.Map;

/** How a row of a table changes the parameters of a request that is right. */
final class ParameterChange {

    private ParameterChange() {}

    /**
     * Changes the parameters.
     *
     * @param changes {@code name=value} sets a parameter, {@code name} alone leaves it out; separated by {@code " & "}
     */
    static void apply(String changes, Map<String, String> parameters) {
        for (String change : changes.split(" & ")) {
            int end = change.indexOf('=');
            if (end < 0) {
                parameters.remove(change);
            } else {
                parameters.put(change.substring(0, end), change.substring(end + 1));
            }
        }
    }
}
