package io.github.checktoken.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.testkit.TestKit.JSON;

/** Fills in what {@code cases.json} leaves open: times, addresses, the client's algorithms, keys. */
final class Values {

    private static final Set<String> SIGNATURES = Set.of("ES256", "RS256", "PS256");

    private final TestKit kit;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final long now;

    /** @param now in seconds since the epoch */
    Values(TestKit kit, Addresses addresses, TestClient client, long now) {
        this.kit = kit;
        this.now = now;
        texts.put("{origin}", addresses.origin());
        texts.put("{elsewhere}", addresses.elsewhere());
        texts.put("{realm_url}", addresses.realm());
        texts.put("{issuer}", addresses.issuer());
        texts.put("{client_id}", client.clientId());
        texts.put("{kty}", client.agreed("kty"));
        for (String name : List.of("jws_alg", "jwe_alg", "jwe_enc")) {
            texts.put("{agreed_" + name + "}", client.agreed(name));
            texts.put("{not_agreed_" + name + "}", client.notAgreed(name));
        }
        texts.put("{jws_alg}", client.agreed("jws_alg"));
    }

    /** Says which {@code alg} the header of the JWS has. */
    void signatureAlgorithm(Object algorithm) {
        if (algorithm instanceof String name && SIGNATURES.contains(name)) {
            texts.put("{jws_alg}", name);
        }
    }

    String text(Object template) {
        String text = (String) template;
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            text = text.replace(entry.getKey(), entry.getValue());
        }
        return text;
    }

    Map<String, Object> object(Object template) {
        return JSON.object(fill(template));
    }

    Object fill(Object template) {
        if (template instanceof String) {
            return text(template);
        }
        if (template instanceof List<?> list) {
            return list.stream().map(this::fill).toList();
        }
        if (!(template instanceof Map<?, ?> members)) {
            return template;
        }
        if (JSON.isPlaceholder(members)) {
            String name = (String) members.keySet().iterator().next();
            return special(name, members.get(name));
        }
        Map<String, Object> filled = new LinkedHashMap<>();
        members.forEach((name, value) -> filled.put((String) name, fill(value)));
        return filled;
    }

    private Object special(String name, Object argument) {
        return switch (name) {
            case "$now" -> now + ((Number) argument).longValue();
            case "$now_text" -> Long.toString(now + ((Number) argument).longValue());
            case "$now_milliseconds" -> 1000 * now + ((Number) argument).longValue();
            case "$key" -> kit.key(text(argument)).getRequiredParams();
            case "$x5c" -> kit.key(text(argument)).toJSONObject().get("x5c");
            default -> throw new IllegalArgumentException(name);
        };
    }
}
