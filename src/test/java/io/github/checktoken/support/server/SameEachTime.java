package io.github.checktoken.support.server;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/** Replaces what differs in each login, such as ids and times, and sorts the members of objects. */
public final class SameEachTime {

    /** Members and notes whose value is new in each login. */
    private static final Set<String> RANDOM = Set.of(
            ("jti sid sub iat exp nbf auth_time nonce at_hash c_hash s_hash state started startedAt timestamp AUTH_TIME "
                            + "userId sessionId code_id token_id refresh_token_id updated_refresh_token_id "
                            + "refresh_token_sub subject_token_id brokerSessionId identity_provider_broker_session_id "
                            + "FEDERATED_ACCESS_TOKEN FEDERATED_ID_TOKEN FEDERATED_REFRESH_TOKEN BROKER_NONCE "
                            + "OAUTH2_DEVICE_VERIFIED_USER_CODE token_exchange_subject_clientapp")
                    .split(" "));

    private SameEachTime() {}

    public static String json(JsonNode value) {
        if (value.isObject()) {
            Map<String, String> members = new TreeMap<>();
            for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                members.put(text(name), RANDOM.contains(name) ? "*" : member(name, value.get(name)));
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

    /** Keycloak writes the scopes in the order of their ids, which differ in each realm. */
    private static String member(String name, JsonNode value) {
        return name.equals("scope")
                ? Stream.of(value.asText().split(" ")).sorted().toList().toString()
                : json(value);
    }

    /** Sorts the elements, because Keycloak writes the roles of an assertion in any order. */
    public static String markup(String text) {
        return Stream.of(text(text).split("(?=<)")).sorted().collect(Collectors.joining("\n"));
    }

    public static String text(String text) {
        return text.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "*")
                .replaceAll("http://(localhost|127\\.0\\.0\\.1):[0-9]+", "http://*")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "*")
                .replaceAll("SessionIndex=\"[^\"]*\"", "SessionIndex=\"*\"")
                .replaceAll("\\b[0-9]{10,13}\\b", "*")
                .replaceAll("[A-Za-z0-9_-]{22,}\\.", "*.");
    }
}
