package io.github.checktoken.testkit;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.github.checktoken.testkit.CallError.Refusal;

/**
 * A call of the endpoint.
 *
 * @param form the fields of the body
 * @param authorization the header {@code Authorization}, or null
 */
record Call(Map<String, String> form, String authorization) {

    private static final int MAX_BODY = 1 << 18;
    private static final int MAX_FIELD = 1 << 17;

    static Call read(HttpExchange exchange) throws IOException, Refusal {
        if (!exchange.getRequestMethod().equals("POST")) {
            throw new Refusal(CallError.METHOD_NOT_ALLOWED);
        }
        Headers headers = exchange.getRequestHeaders();
        String contentType = headers.getFirst("Content-Type");
        if (contentType == null
                || !contentType
                        .split(";")[0]
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .equals("application/x-www-form-urlencoded")) {
            throw new Refusal(CallError.UNSUPPORTED_MEDIA_TYPE);
        }
        if (headers.containsKey("Origin") || headers.containsKey("Sec-Fetch-Site")) {
            throw new Refusal(CallError.INVALID_REQUEST);
        }
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            throw new Refusal(CallError.BODY_TOO_LARGE);
        }
        Call call = new Call(form(new String(body, StandardCharsets.UTF_8)), headers.getFirst("Authorization"));
        call.required("token");
        return call;
    }

    String required(String name) throws Refusal {
        String value = form.get(name);
        if (value == null || value.isEmpty()) {
            throw new Refusal(CallError.INVALID_REQUEST);
        }
        return value;
    }

    private static Map<String, String> form(String body) throws Refusal {
        Map<String, String> form = new HashMap<>();
        for (String field : body.split("&")) {
            String[] nameAndValue = field.split("=", 2);
            String value = decode(nameAndValue.length == 2 ? nameAndValue[1] : "");
            if (value.length() > MAX_FIELD) {
                throw new Refusal(CallError.BODY_TOO_LARGE);
            }
            if (form.put(decode(nameAndValue[0]), value) != null) {
                throw new Refusal(CallError.INVALID_REQUEST);
            }
        }
        return form;
    }

    static String decode(String encoded) throws Refusal {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refusal(CallError.INVALID_REQUEST);
        }
    }
}
