package io.github.checktoken.demo.pages.web;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpExchange;

/** What a browser sent: the fields of its form, or whatever else is in the body. */
public final class Request {

    /** An answer to open is the largest body that anybody sends. */
    private static final int MAX_BODY_BYTES = 65_536;

    private static final Pattern COOKIE = Pattern.compile("(?:^|;\\s*)" + Visitors.COOKIE + "=([A-Za-z0-9_-]+)");

    private final HttpExchange exchange;
    private final String body;
    private final Map<String, List<String>> fields;

    private Request(HttpExchange exchange, String body) {
        this.exchange = exchange;
        this.body = body;
        this.fields = parse(body);
    }

    /** @return null if the body is too large */
    static Request read(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        return body.length > MAX_BODY_BYTES ? null : new Request(exchange, new String(body, StandardCharsets.UTF_8));
    }

    public String path() {
        return exchange.getRequestURI().getPath();
    }

    /** @return the query as it was sent, still encoded; empty if there is none */
    public String query() {
        String query = exchange.getRequestURI().getRawQuery();
        return query == null ? "" : query;
    }

    /** @return the parameters of the query in the order of their names, each with its first value */
    public Map<String, String> parameters() {
        Map<String, String> first = new TreeMap<>();
        parse(query()).forEach((name, values) -> first.put(name, values.get(0)));
        return first;
    }

    public String body() {
        return body;
    }

    /** @return the first value of a field of the form; empty if there is none */
    public String field(String name) {
        return fields(name).stream().findFirst().orElse("");
    }

    /** @return all values of a field of the form */
    public List<String> fields(String name) {
        return fields.getOrDefault(name, List.of());
    }

    String method() {
        return exchange.getRequestMethod();
    }

    /** @return the id in the cookie; empty if there is none */
    String visitorId() {
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            Matcher cookie = COOKIE.matcher(header);
            if (cookie.find()) {
                return cookie.group(1);
            }
        }
        return "";
    }

    /** @return the language of the pages that the browser prefers, English if it names none of them */
    Locale preferredLanguage() {
        String accepted = exchange.getRequestHeaders().getFirst("Accept-Language");
        try {
            Locale best =
                    accepted == null ? null : Locale.lookup(Locale.LanguageRange.parse(accepted), Texts.LANGUAGES);
            return best == null ? Locale.ENGLISH : best;
        } catch (IllegalArgumentException e) {
            // The header is malformed.
            return Locale.ENGLISH;
        }
    }

    private static Map<String, List<String>> parse(String encoded) {
        Map<String, List<String>> values = new TreeMap<>();
        for (String pair : encoded.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.computeIfAbsent(decode(pair.substring(0, equals)), name -> new ArrayList<>())
                        .add(decode(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // A percent sign without two digits. The text as it came fits nothing that is looked for.
            return encoded;
        }
    }
}
