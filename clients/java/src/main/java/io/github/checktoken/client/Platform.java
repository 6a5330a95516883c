package io.github.checktoken.client;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodySubscribers;
import java.text.ParseException;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import com.nimbusds.jose.jwk.*;
import com.nimbusds.jose.util.JSONObjectUtils;

import static io.github.checktoken.client.CheckTokenException.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** The connections to the platform, and its metadata and keys, all kept. Deadlines are {@link System#nanoTime}. */
final class Platform {

    private static final int MAX_BYTES = 1 << 18;
    private static final JWKMatcher ANY = new JWKMatcher.Builder().build();

    private final CheckToken.Builder agreed;
    private final HttpClient http;
    // Fair, so that nobody waits for those who came later, beyond the own deadline.
    private final ReentrantLock loading = new ReentrantLock(true);
    private volatile URI endpoint;
    private JWKSet keys = new JWKSet();
    private long loadedAt;

    Platform(CheckToken.Builder agreed) {
        this.agreed = agreed;
        http = agreed.http.build();
    }

    /**
     * One thread at a time loads what is too old or lacks a key, and nobody loads again what was loaded just now.
     *
     * @return null if the platform has no such key
     */
    JWK key(JWKMatcher wanted, long deadline) {
        loading.lock();
        try {
            long age = endpoint == null ? Long.MAX_VALUE : System.nanoTime() - loadedAt;
            Duration enough = keys.filter(wanted).isEmpty() ? agreed.pause : agreed.maximumAge;
            if (age >= enough.toNanos()) {
                keys = attempt("wrong-metadata", () -> load(deadline));
                loadedAt = System.nanoTime();
            }
            return keys.filter(wanted).getKeys().stream().findFirst().orElse(null);
        } finally {
            loading.unlock();
        }
    }

    private JWKSet load(long deadline) throws ParseException {
        Map<String, Object> metadata = json(agreed.issuer + "/.well-known/openid-configuration", deadline);
        unless(agreed.issuer.equals(metadata.get("issuer")), "wrong-metadata");
        JWKSet loaded = JWKSet.parse(json(own(metadata.get("jwks_uri")), deadline));
        endpoint = URI.create(own(metadata.get("introspection_endpoint")));
        return loaded;
    }

    /** @return the address, which must be one of the issuer's own host: it gets the token and the secret */
    private String own(Object address) {
        String origin = URI.create(agreed.issuer).resolve("/").toString();
        unless(String.valueOf(address).startsWith(origin), "wrong-metadata");
        return (String) address;
    }

    private Map<String, Object> json(String address, long deadline) {
        HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create(address)), deadline);
        unless(response.statusCode() == 200, "wrong-metadata");
        return attempt("wrong-metadata", () -> JSONObjectUtils.parse(response.body()));
    }

    HttpResponse<String> post(String form, long deadline) {
        key(ANY, deadline);
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint).POST(BodyPublishers.ofString(form));
        return send(request.setHeader("Content-Type", "application/x-www-form-urlencoded"), deadline);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, long deadline) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        // Of a body that is too large, only one byte too many is kept.
        Consumer<byte[]> keep = part -> body.write(part, 0, Math.min(part.length, MAX_BYTES + 1 - body.size()));
        CompletableFuture<HttpResponse<String>> call = http.sendAsync(
                request.build(),
                info -> BodySubscribers.mapping(
                        BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(keep)),
                        end -> body.toString(UTF_8)));
        try {
            var timed = call.copy().orTimeout(deadline - System.nanoTime(), NANOSECONDS);
            HttpResponse<String> response = timed.join();
            unless(body.size() <= MAX_BYTES, "too-large");
            return response;
        } catch (CompletionException e) {
            throw new CheckTokenException(e.getCause() instanceof TimeoutException ? "timeout" : "unreachable", "");
        } finally {
            // Closes the connection of a body that does not end.
            call.cancel(true);
        }
    }
}
