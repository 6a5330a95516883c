package io.github.checktoken.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;

/** The files of the test kit: {@code cases.json} and the keys. */
public final class TestKit {

    private final Map<String, Object> document = JSON.object(read("cases.json"));
    private final Map<String, TestCase> casesByToken = new LinkedHashMap<>();
    private final Map<String, JWK> keys = new HashMap<>();

    public TestKit() {
        JSON.objects(document.get("cases")).forEach(members -> {
            TestCase testCase = new TestCase(members, JSON.object(document.get("defaults")));
            members.computeIfAbsent("token", none -> jwt(testCase));
            casesByToken.put(testCase.token(), testCase);
        });
        for (String file : List.of("platform", "foreign", "data-provider", "service-provider")) {
            keySet(file).getKeys().forEach(key -> keys.put(key.getKeyID(), key));
        }
    }

    public List<TestCase> cases() {
        return List.copyOf(casesByToken.values());
    }

    /** @return a JWT as the platform's, with the jti of the answer. Nobody is to verify its signature */
    private String jwt(TestCase testCase) {
        Map<String, Object> claims = new LinkedHashMap<>(Map.of("case", testCase.name()));
        claims.put("jti", introspection((String) testCase.merged("introspection")).get("jti"));
        return Base64URL.encode("{\"alg\":\"ES256\"}") + "." + Base64URL.encode(JSONObjectUtils.toJSONString(claims)) + ".AAAA";
    }

    /** @return the case that the token, or its short form {@code case.NAME}, asks for; for others, one that is not active */
    TestCase caseOf(String token) {
        TestCase found = casesByToken.get(token.startsWith("case.") ? token(token.substring(5)) : token);
        return found == null ? casesByToken.get(token("inactive")) : found;
    }

    /** @return the access token that asks for the case of this name, or else an empty text */
    public String token(String name) {
        return casesByToken.values().stream()
                .filter(testCase -> testCase.name().equals(name))
                .map(TestCase::token)
                .findFirst()
                .orElse("");
    }

    public List<TestClient> clients() {
        return JSON.objects(document.get("clients")).stream()
                .map(TestClient::new)
                .toList();
    }

    /** @return the client for which the case means something, or else the first one */
    public TestClient clientOf(TestCase testCase) {
        return clients().stream()
                .filter(client -> testCase.client() == null || client.clientId().equals(testCase.client()))
                .findFirst()
                .orElseThrow();
    }

    /** @return a key of any file, with its private part */
    public JWK key(String kid) {
        JWK key = keys.get(kid);
        if (key == null) {
            throw new NoSuchElementException("No key " + kid);
        }
        return key;
    }

    /** @param file a file in {@code keys}, without its ending */
    public JWKSet keySet(String file) {
        try {
            return JWKSet.parse(read("keys/" + file + ".json"));
        } catch (ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    String realmPath() {
        return (String) document.get("realm");
    }

    Map<String, Object> introspection(String name) {
        return JSON.object(JSON.object(document.get("introspections")).get(name));
    }

    public List<String> reasons() {
        return List.copyOf(JSON.object(document.get("reasons")).keySet());
    }

    static String read(String file) {
        try (InputStream stream = TestKit.class.getResourceAsStream("/testkit/" + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** JSON as maps and lists. */
    static final class JSON {

        private JSON() {}

        static Map<String, Object> object(String text) {
            try {
                return JSONObjectUtils.parse(text);
            } catch (ParseException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return (Map<String, Object>) value;
        }

        @SuppressWarnings("unchecked")
        static List<Map<String, Object>> objects(Object value) {
            return (List<Map<String, Object>>) value;
        }

        /** @return whether the object stands for a value, such as the time */
        static boolean isPlaceholder(Map<?, ?> members) {
            return members.size() == 1 && ((String) members.keySet().iterator().next()).startsWith("$");
        }

        /** A JSON Merge Patch (RFC 7396), for which a placeholder is a value. */
        static Object merge(Object target, Object patch) {
            if (!(patch instanceof Map<?, ?> members) || isPlaceholder(members)) {
                return patch;
            }
            Map<String, Object> merged =
                    target instanceof Map<?, ?> ? new LinkedHashMap<>(object(target)) : new LinkedHashMap<>();
            members.forEach((name, value) -> {
                if (value == null) {
                    merged.remove(name);
                } else {
                    merged.put((String) name, merge(merged.get(name), value));
                }
            });
            return merged;
        }
    }
}
