package io.github.checktoken.support.client;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.github.checktoken.support.server.LogSearch;

/** The only members that an answer may have. Each answer that a test decrypts is checked against them. */
public final class AnswerMembers {

    /** RFC 9701 section 5, without the top-level members that it warns of. */
    private static final Set<String> PAYLOAD = Set.of("token_introspection", "aud", "iat", "iss");

    private static final Set<String> INACTIVE = Set.of("active");

    private static final Set<String> TOKEN =
            Set.of("active", "aud", "client_id", "sub", "iat", "exp", "acr", "jti", "scope", "cnf");

    /** The service's identity data. */
    private static final Set<String> IDENTITY = Set.of(
            "gender", "family_name", "given_name", "given_name_array", "birthdate", "birthplace", "birthcountry");

    /** RFC 8705 section 3.1, RFC 9449 section 6.1. */
    private static final Set<String> CONFIRMATION = Set.of("x5t#S256", "jkt");

    private static final Set<String> ENCRYPTION = Set.of("alg", "enc", "cty", "epk", "kid");

    private static final Set<String> SIGNATURE = Set.of("alg", "kid", "typ");

    /** The members that mappers of a test add, by client_id. */
    private static final Map<String, Set<String>> GIVEN_BY_MAPPERS = new ConcurrentHashMap<>();

    private AnswerMembers() {}

    /** Allows this member in the answers to a data provider of a test that has its own mapper for it. */
    public static void allow(String clientId, String member) {
        GIVEN_BY_MAPPERS
                .computeIfAbsent(clientId, id -> ConcurrentHashMap.newKeySet())
                .add(member);
    }

    static void check(Answer answer) {
        only(ENCRYPTION, answer.encryption().toJSONObject());
        only(SIGNATURE, answer.signature().toJSONObject());
        check(answer.payload());
    }

    /** @throws AssertionError if the payload of an answer has a member that it must not have */
    public static void check(Map<String, Object> payload) {
        only(PAYLOAD, payload);
        check((String) payload.get("aud"), (Map<?, ?>) payload.get("token_introspection"));
    }

    /** Checks only {@code token_introspection}, if another client has decrypted the answer. */
    public static void check(String clientId, Map<?, ?> introspection) {
        if (!Boolean.TRUE.equals(introspection.get("active"))) {
            only(INACTIVE, introspection);
            return;
        }
        Set<String> allowed = new TreeSet<>(TOKEN);
        allowed.addAll(IDENTITY);
        allowed.addAll(GIVEN_BY_MAPPERS.getOrDefault(clientId, Set.of()));
        only(allowed, introspection);
        introspection.forEach((member, value) -> {
            if (!TOKEN.contains(member)) {
                LogSearch.add("identity data", String.valueOf(value));
            }
        });
        if (introspection.get("cnf") instanceof Map<?, ?> confirmation) {
            only(CONFIRMATION, confirmation);
        }
    }

    private static void only(Set<String> allowed, Map<?, ?> object) {
        Set<Object> others = new TreeSet<>(object.keySet());
        others.removeAll(allowed);
        if (!others.isEmpty()) {
            throw new AssertionError("The answer has members that it must not have: " + others);
        }
    }
}
