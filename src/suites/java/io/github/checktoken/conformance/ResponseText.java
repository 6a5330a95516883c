package io.github.checktoken.conformance;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.oauth2.sdk.util.MultivaluedMapUtils;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.SameEachTime;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** The text of a response without ids, times, ports, codes, secrets and keys, so that two servers can be compared. */
final class ResponseText {

    private static final Set<String> NEW_EACH_TIME =
            Set.of("code", "session_state", "client_secret", "kid", "n", "x5c", "x5t", "x5t#S256");

    private ResponseText() {}

    /** @return status, headers and body; of a page, the text that it shows */
    static String of(HttpResponse<String> response) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(response.headers().map());
        headers.remove("Content-Length");
        headers.replaceAll((name, values) ->
                values.stream().map(value -> header(name, value)).sorted().toList());
        return "%d %s%n    %s".formatted(response.statusCode(), headers, body(response));
    }

    private static String header(String name, String value) {
        return switch (name.toLowerCase()) {
            case "set-cookie" -> value.replaceFirst("=[^;]*", "=*");
            case "location" -> location(value);
            default -> SameEachTime.text(value);
        };
    }

    private static String location(String location) {
        String[] parts = location.split("(?<=[?#])", 2);
        Map<String, List<String>> parameters = URLUtils.parseParameters(parts.length == 1 ? "" : parts[1]);
        return SameEachTime.text(parts[0])
                + json(Http.JSON.valueToTree(MultivaluedMapUtils.toSingleValuedMap(parameters)));
    }

    private static String body(HttpResponse<String> response) {
        String body = response.body();
        if (body.startsWith("{")) {
            return json(Http.json(body));
        }
        return isJwt(body) ? jwt(body) : page(Jsoup.parse(body));
    }

    /** Keycloak lists the scopes that need consent in any order. */
    private static String page(Document page) {
        List<String> items = page.select("li").eachText().stream().sorted().toList();
        page.select("li").remove();
        return SameEachTime.text(page.text() + " " + items);
    }

    private static String json(JsonNode value) {
        ObjectNode object = value.deepCopy();
        NEW_EACH_TIME.forEach(name -> object.findParents(name).forEach(parent -> ((ObjectNode) parent).put(name, "*")));
        value.properties().forEach(member -> {
            String text = member.getValue().asText();
            if (isJwt(text)) {
                object.put(member.getKey(), jwt(text));
            } else if (member.getKey().endsWith("expires_in")) {
                // A second may pass while the server makes the answer.
                object.put(member.getKey(), Math.round(Integer.parseInt(text) / 10.0) * 10);
            }
        });
        return SameEachTime.json(object);
    }

    private static boolean isJwt(String text) {
        return text.startsWith("eyJ");
    }

    /** @return header and claims */
    private static String jwt(String text) {
        return Stream.of(text.split("\\."))
                .limit(2)
                .map(part -> json(Http.json(new Base64URL(part).decodeToString())))
                .collect(Collectors.joining());
    }
}
