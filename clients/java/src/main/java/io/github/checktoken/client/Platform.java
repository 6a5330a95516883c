package io.github.checktoken.client;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;

/** The connections to the platform, and its metadata and keys, which are kept. Deadlines are in {@link System#nanoTime}. */
final class Platform {

    private final CheckToken.Builder agreed;
    private final HttpClient http;
    private final ReentrantLock loading = new ReentrantLock();
    private volatile Known known;

    Platform(CheckToken.Builder agreed, HttpClient http) {
        this.agreed = agreed;
        this.http = http;
    }

    URI endpoint(long deadline) {
        return known(null, deadline).endpoint;
    }

    /** @param name {@code alg}, a space and {@code kid} */
    JWSVerifier key(String name, long deadline) {
        return known(name, deadline).keys.get(name);
    }

    /** One thread at a time loads what is too old or lacks a key, and nobody loads again what was loaded just now. */
    private Known known(String key, long deadline) {
        if (suffices(key)) {
            return known;
        }
        try {
            Reason.TIMEOUT.unless(loading.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            if (!suffices(key)) {
                known = load(deadline);
            }
            return known;
        } finally {
            loading.unlock();
        }
    }

    private boolean suffices(String key) {
        Known now = known;
        long age = now == null ? Long.MAX_VALUE : System.nanoTime() - now.loadedAt;
        return age < agreed.pause.toNanos()
                || age < agreed.maximumAge.toNanos() && (key == null || now.keys.containsKey(key));
    }

    private Known load(long deadline) {
        try {
            Map<String, Object> metadata = json(agreed.issuer + "/.well-known/openid-configuration", deadline);
            Reason.WRONG_METADATA.unless(agreed.issuer.equals(metadata.get("issuer")));
            Map<String, JWSVerifier> keys = new HashMap<>();
            for (JWK key :
                    JWKSet.parse(json(own(metadata.get("jwks_uri")), deadline)).getKeys()) {
                for (String algorithm : agreed.signature) {
                    if (key.getAlgorithm() == null
                            || key.getAlgorithm().getName().equals(algorithm)) {
                        addKey(keys, algorithm, key);
                    }
                }
            }
            return new Known(URI.create(own(metadata.get("introspection_endpoint"))), keys, System.nanoTime());
        } catch (ParseException | IllegalArgumentException e) {
            throw new CheckTokenException(Reason.WRONG_METADATA);
        }
    }

    private static void addKey(Map<String, JWSVerifier> keys, String algorithm, JWK key) {
        JWSHeader header = new JWSHeader(JWSAlgorithm.parse(algorithm));
        try {
            keys.put(
                    algorithm + " " + key.getKeyID(),
                    new DefaultJWSVerifierFactory().createJWSVerifier(header, ((AsymmetricJWK) key).toPublicKey()));
        } catch (JOSEException | ClassCastException e) {
            // A key of another type. Answers that need it are refused.
        }
    }

    /** @return the address, which must be one of the issuer's own host: it gets the token and the secret */
    private String own(Object address) {
        String origin = URI.create(agreed.issuer).resolve("/").toString();
        Reason.WRONG_METADATA.unless(address instanceof String text && text.startsWith(origin));
        return (String) address;
    }

    private Map<String, Object> json(String address, long deadline) throws ParseException {
        Reply reply = send(HttpRequest.newBuilder(URI.create(address)), deadline);
        if (reply.status() != 200) {
            throw new CheckTokenException(Reason.WRONG_METADATA, "status " + reply.status());
        }
        return AnswerReader.json(reply.body());
    }

    Reply send(HttpRequest.Builder request, long deadline) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        // Of a body that is too large, only one character too many is kept.
        CompletableFuture<HttpResponse<Void>> call = http.sendAsync(
                request.build(),
                HttpResponse.BodyHandlers.ofByteArrayConsumer(bytes -> bytes.ifPresent(part ->
                        body.write(part, 0, Math.min(part.length, CheckToken.MAX_CHARACTERS + 1 - body.size())))));
        try {
            HttpResponse<Void> response = call.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            return new Reply(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.headers().firstValue("Retry-After").orElse(""),
                    body.toString(StandardCharsets.UTF_8));
        } catch (TimeoutException e) {
            throw new CheckTokenException(Reason.TIMEOUT);
        } catch (ExecutionException e) {
            throw new CheckTokenException(
                    Reason.UNREACHABLE, e.getCause().getClass().getSimpleName());
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            // Closes the connection of a body that does not end.
            call.cancel(true);
        }
    }

    static CheckTokenException interrupted() {
        Thread.currentThread().interrupt();
        return new CheckTokenException(Reason.UNREACHABLE, "interrupted");
    }

    record Reply(int status, String contentType, String retryAfter, String body) {}

    private record Known(URI endpoint, Map<String, JWSVerifier> keys, long loadedAt) {}
}
