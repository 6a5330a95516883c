package io.github.checktoken.gate.honest;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/** Replaces what differs in each login, such as ids and times, and sorts the members of objects. */
final class SameEachTime {

    private static final Set<String> RANDOM = Set.of(
            "jti",
            "sid",
            "sub",
            "iat",
            "exp",
            "nbf",
            "auth_time",
            "nonce",
            "at_hash",
            "c_hash",
            "s_hash",
            "userId",
            "sessionId",
            "code_id",
            "token_id",
            "refresh_token_id",
            "updated_refresh_token_id",
            "state",
            "started",
            "timestamp",
            "AUTH_TIME",
            "startedAt",
            "refresh_token_sub",
            "subject_token_id");

    private SameEachTime() {}

    static String json(JsonNode value) {
        if (value.isObject()) {
            Map<String, String> members = new TreeMap<>();
            for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                members.put(text(name), RANDOM.contains(name) ? "*" : json(value.get(name)));
            }
            return members.toString();
        }
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(SameEachTime::json)
                    .sorted()
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return text(value.asText());
    }

    static String text(String text) {
        return text.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "*")
                .replaceAll("http://(localhost|127\\.0\\.0\\.1):[0-9]+", "http://*")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "*")
                .replaceAll("\\b[0-9]{10,13}\\b", "*")
                .replaceAll("[A-Za-z0-9_-]{22,}\\.", "*.");
    }
}
