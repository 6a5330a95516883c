package io.github.checktoken.client;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.ReentrantLock;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.*;

import static io.github.checktoken.client.CheckTokenException.unless;

/** The connections to the platform, and its metadata and keys, which are kept. Deadlines are in {@link System#nanoTime}. */
final class Platform {

    static final int MAX_CHARACTERS = 1 << 18;

    private final CheckToken.Builder agreed;
    private final HttpClient http;
    // Fair, so that nobody waits for those who came later, beyond the own deadline.
    private final ReentrantLock loading = new ReentrantLock(true);
    private volatile Known known;

    Platform(CheckToken.Builder agreed) {
        this.agreed = agreed;
        http = agreed.http.build();
    }

    URI endpoint(long deadline) {
        return known(null, deadline).endpoint;
    }

    /** @return null if the platform has no such key */
    JWK key(JWSHeader header, long deadline) {
        return known(header, deadline).key(header);
    }

    /** One thread at a time loads what is too old or lacks a key, and nobody loads again what was loaded just now. */
    private Known known(JWSHeader header, long deadline) {
        if (suffices(header)) {
            return known;
        }
        loading.lock();
        try {
            known = suffices(header) ? known : load(deadline);
            return known;
        } catch (ParseException | IllegalArgumentException e) {
            throw new CheckTokenException("wrong-metadata", "");
        } finally {
            loading.unlock();
        }
    }

    private boolean suffices(JWSHeader header) {
        Known now = known;
        long age = now == null ? Long.MAX_VALUE : System.nanoTime() - now.loadedAt;
        boolean found = now != null && (header == null || now.key(header) != null);
        return age < agreed.pause.toNanos() || age < agreed.maximumAge.toNanos() && found;
    }

    private Known load(long deadline) throws ParseException {
        Map<String, Object> metadata = json(agreed.issuer + "/.well-known/openid-configuration", deadline);
        unless(agreed.issuer.equals(metadata.get("issuer")), "wrong-metadata");
        JWKSet keys = JWKSet.parse(json(own(metadata.get("jwks_uri")), deadline));
        URI endpoint = URI.create(own(metadata.get("introspection_endpoint")));
        return new Known(endpoint, keys, System.nanoTime());
    }

    /** @return the address, which must be one of the issuer's own host: it gets the token and the secret */
    private String own(Object address) {
        String origin = URI.create(agreed.issuer).resolve("/").toString();
        unless(address instanceof String text && text.startsWith(origin), "wrong-metadata");
        return (String) address;
    }

    private Map<String, Object> json(String address, long deadline) throws ParseException {
        Reply reply = send(HttpRequest.newBuilder(URI.create(address)), deadline);
        unless(reply.status() == 200, "wrong-metadata");
        return AnswerReader.json(reply.body());
    }

    Reply send(HttpRequest.Builder request, long deadline) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        // Of a body that is too large, only one character too many is kept.
        CompletableFuture<HttpResponse<Void>> call = http.sendAsync(
                request.build(),
                HttpResponse.BodyHandlers.ofByteArrayConsumer(bytes -> bytes.ifPresent(
                        part -> body.write(part, 0, Math.min(part.length, MAX_CHARACTERS + 1 - body.size())))));
        try {
            HttpResponse<Void> response = call.copy()
                    .orTimeout(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .join();
            return new Reply(response.statusCode(), response.headers(), body.toString(StandardCharsets.UTF_8));
        } catch (CompletionException e) {
            boolean late = e.getCause() instanceof TimeoutException;
            throw new CheckTokenException(late ? "timeout" : "unreachable", "");
        } finally {
            // Closes the connection of a body that does not end.
            call.cancel(true);
        }
    }

    record Reply(int status, HttpHeaders headers, String body) {

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }
    }

    private record Known(URI endpoint, JWKSet keys, long loadedAt) {

        JWK key(JWSHeader header) {
            return new JWKSelector(JWKMatcher.forJWSHeader(header))
                    .select(keys).stream().findFirst().orElse(null);
        }
    }
}
