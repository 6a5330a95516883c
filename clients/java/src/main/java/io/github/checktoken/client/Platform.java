package io.github.checktoken.client;

import java.io.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodySubscribers;
import java.text.ParseException;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.*;

import com.nimbusds.jose.jwk.*;
import com.nimbusds.jose.util.JSONObjectUtils;

import static io.github.checktoken.client.CheckTokenException.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** The connections to the platform, and its metadata and keys, all kept. Deadlines are {@link System#nanoTime}. */
final class Platform {

    private static final int MAX_BYTES = 1 << 18;
    // Above a server's limit of HTTP/2, which is 100 or more (RFC 9113 section 6.5.2), HttpClient fails (JDK-8225647).
    private static final int AT_ONCE = 64;
    private static final JWKMatcher ANY = new JWKMatcher.Builder().build();

    private final CheckToken.Builder agreed;
    private final HttpClient http;
    // Fair, so that nobody waits for those who came later.
    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final ReentrantLock loading = new ReentrantLock(true);
    private volatile Loaded loaded;
    private volatile int loads;
    private String failure;

    Platform(CheckToken.Builder agreed) {
        this.agreed = agreed;
        http = agreed.http;
    }

    /**
     * One thread at a time loads what is too old or lacks a key, and nobody loads again what was loaded just now. Those
     * who waited for a load that fails share its failure.
     *
     * @return null if the platform has no such key
     */
    JWK key(JWKMatcher wanted, long deadline) {
        int before = loads;
        if (isOld(wanted)) {
            await(loading::tryLock, deadline, "timeout");
            try {
                if (isOld(wanted)) {
                    unless(failure == null || loads == before, failure);
                    reload(deadline);
                }
            } finally {
                loading.unlock();
            }
        }
        return loaded.keys.filter(wanted).getKeys().stream().findFirst().orElse(null);
    }

    private boolean isOld(JWKMatcher wanted) {
        Loaded last = loaded;
        return last == null
                || System.nanoTime() - last.time
                        >= (last.keys.filter(wanted).isEmpty() ? agreed.pause : agreed.maximumAge).toNanos();
    }

    private void reload(long deadline) {
        try {
            loaded = attempt("wrong-metadata", () -> load(deadline));
            failure = null;
        } catch (CheckTokenException e) {
            failure = e.reason();
            throw e;
        } finally {
            loads++;
        }
    }

    private Loaded load(long deadline) {
        Map<String, Object> metadata = json(agreed.issuer + "/.well-known/openid-configuration", deadline);
        unless(agreed.issuer.equals(metadata.get("issuer")), "wrong-metadata");
        URI endpoint = own(metadata.get("introspection_endpoint"));
        JWKSet keys = new JWKSet(usable(json(metadata.get("jwks_uri"), deadline).get("keys")));
        return new Loaded(endpoint, keys, System.nanoTime());
    }

    /** @return the keys that can be read; others are no reason to refuse them all (RFC 7517 section 5) */
    @SuppressWarnings("unchecked")
    private static List<JWK> usable(Object published) {
        List<JWK> usable = new ArrayList<>();
        for (Object key : (List<?>) published) {
            try {
                usable.add(JWK.parse((Map<String, Object>) key));
            } catch (ParseException | RuntimeException e) {
                // Left out.
            }
        }
        return usable;
    }

    /** @return the address, which must be one of the issuer's own host: it gets the token and the secret */
    private URI own(Object address) {
        String text = String.valueOf(address);
        String origin = text.startsWith(agreed.connectTo) ? agreed.connectTo : agreed.origin();
        unless(text.startsWith(origin), "wrong-metadata");
        return URI.create(agreed.connectTo + text.substring(origin.length()));
    }

    private Map<String, Object> json(Object address, long deadline) {
        URI uri = own(address);
        HttpResponse<String> response = send(() -> HttpRequest.newBuilder(uri), deadline);
        unless(response.statusCode() == 200, "wrong-metadata");
        return attempt("wrong-metadata", () -> JSONObjectUtils.parse(response.body()));
    }

    /** @param form made anew for a repeat, because an assertion works once */
    HttpResponse<String> post(Supplier<String> form, long deadline) {
        key(ANY, deadline);
        return send(
                () -> HttpRequest.newBuilder(loaded.endpoint)
                        .POST(BodyPublishers.ofString(form.get()))
                        .setHeader("Content-Type", "application/x-www-form-urlencoded"),
                deadline);
    }

    /** Waits for a turn. A call without any answer is repeated once, for it changes nothing (RFC 9110 section 9.2.2). */
    private HttpResponse<String> send(Supplier<HttpRequest.Builder> request, long deadline) {
        await(turns::tryAcquire, deadline, "busy");
        try {
            AtomicBoolean answered = new AtomicBoolean();
            for (boolean isRepeat = false; ; isRepeat = true) {
                HttpRequest call = request.get().build();
                try {
                    return send(call, answered, deadline);
                } catch (CompletionException e) {
                    if (isRepeat || answered.get() || !(e.getCause() instanceof IOException)) {
                        throw failure(e.getCause(), call.uri());
                    }
                }
            }
        } finally {
            turns.release();
        }
    }

    private HttpResponse<String> send(HttpRequest request, AtomicBoolean answered, long deadline) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        // Of a body that is too large, only one byte too many is kept.
        Consumer<byte[]> keep = part -> body.write(part, 0, Math.min(part.length, MAX_BYTES + 1 - body.size()));
        CompletableFuture<HttpResponse<String>> call = http.sendAsync(request, info -> {
            answered.set(true);
            return BodySubscribers.mapping(
                    BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(keep)), end -> body.toString(UTF_8));
        });
        try {
            var timed = call.copy().orTimeout(deadline - System.nanoTime(), NANOSECONDS);
            HttpResponse<String> response = timed.join();
            unless(body.size() <= MAX_BYTES, "too-large");
            return response;
        } finally {
            // Closes the connection of a body that does not end.
            call.cancel(true);
        }
    }

    private CheckTokenException failure(Throwable cause, URI uri) {
        Proxy proxy =
                http.proxy().orElseGet(ProxySelector::getDefault).select(uri).get(0);
        String detail = proxy.type() == Proxy.Type.DIRECT ? "" : " (proxy: " + proxy.address() + ")";
        return new CheckTokenException(cause instanceof TimeoutException ? "timeout" : "unreachable", detail);
    }

    private static void await(Turn turn, long deadline, String reason) {
        try {
            unless(turn.comes(deadline - System.nanoTime(), NANOSECONDS), reason);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckTokenException(reason, "");
        }
    }

    private record Loaded(URI endpoint, JWKSet keys, long time) {}

    private interface Turn {

        boolean comes(long time, TimeUnit unit) throws InterruptedException;
    }
}
