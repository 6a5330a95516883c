package io.github.checktoken.support.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.checktoken.support.server.LogSearch;

/** The JDK's HTTP client with what every test needs: forms, JSON, no redirects, and no checked exceptions. */
public final class Http {

    public static final ObjectMapper JSON = new ObjectMapper();

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** Parameters of forms whose values must not be in a log. */
    private static final Set<String> CONFIDENTIAL = Set.of(
            "client_secret",
            "client_assertion",
            "assertion",
            "token",
            "subject_token",
            "refresh_token",
            "code",
            "code_verifier",
            "password",
            "password-new",
            "pin",
            "pin-new",
            "pin-current",
            "otp",
            "totp");

    private static final Pattern CODE = Pattern.compile("[?&#]code=([^&]+)");
    private static final Pattern SESSION = Pattern.compile("^KEYCLOAK_IDENTITY=([^;]+)");
    private static final Pattern TOKEN = Pattern.compile("\"(?:access_token|refresh_token|id_token)\":\"([^\"]+)\"");

    private Http() {}

    public static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT);
    }

    public static HttpRequest.Builder form(String url, Map<String, String> parameters) {
        parameters.forEach(Http::keepOutOfTheLog);
        return form(url, encode(parameters));
    }

    public static HttpRequest.Builder form(String url, String encoded) {
        return request(url)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(encoded));
    }

    public static HttpResponse<String> send(HttpRequest.Builder request) {
        return send(CLIENT, request);
    }

    /** Sends a request with a client that trusts or presents its own certificates. */
    public static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            keepOutOfTheLog(response);
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void keepOutOfTheLog(String parameter, String value) {
        if (CONFIDENTIAL.contains(parameter)) {
            LogSearch.add(parameter, value);
        }
    }

    /** Notes what must not be in the log: codes in redirects, the cookie of a session, tokens, answers. */
    private static void keepOutOfTheLog(HttpResponse<String> response) {
        response.headers().allValues("Location").forEach(location -> addAll("code", CODE.matcher(location)));
        response.headers().allValues("Set-Cookie").forEach(cookie -> addAll("cookie", SESSION.matcher(cookie)));
        if (response.body().startsWith("eyJ")) {
            LogSearch.add("answer", response.body());
        } else if (response.body().startsWith("{")) {
            addAll("token", TOKEN.matcher(response.body()));
        }
    }

    private static void addAll(String what, Matcher matcher) {
        matcher.results().forEach(result -> LogSearch.add(what, result.group(1)));
    }

    public static JsonNode json(HttpResponse<String> response) {
        if (response.statusCode() >= 300) {
            throw new AssertionError(response.statusCode() + " from " + response.uri() + ": " + response.body());
        }
        return json(response.body());
    }

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("Not JSON: " + text, e);
        }
    }

    public static String encode(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    public static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
