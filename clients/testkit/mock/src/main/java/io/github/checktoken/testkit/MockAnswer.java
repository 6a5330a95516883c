package io.github.checktoken.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.checktoken.testkit.TestKit.JSON;

/**
 * One response.
 *
 * @param body what is sent, or begun
 * @param stall whether the second half of the body never comes
 */
record MockAnswer(int status, Map<String, Object> headers, Object body, boolean stall) {

    byte[] bytes() {
        String text = body instanceof Map<?, ?> repeated
                ? ((String) repeated.get("repeat")).repeat(((Number) repeated.get("times")).intValue())
                : (String) body;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static MockAnswer of(Map<String, Object> http, Object body) {
        return new MockAnswer(
                ((Number) http.get("status")).intValue(),
                JSON.object(http.get("headers")),
                http.getOrDefault("body", body),
                Boolean.TRUE.equals(http.get("stall")));
    }
}
