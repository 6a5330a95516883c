package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import io.github.checktoken.telemetry.CheckTokenTimer;
import org.apache.http.HttpStatus;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;

/**
 * One GET of a JWK Set with Keycloak's HTTP client (its proxy, its truststore), limited in time and size.
 *
 * @param realm the realm's name, for the meter
 * @param watch runs the checks that abort the request if it takes too long or receives too much
 */
record JwksRequest(CloseableHttpClient client, String realm, ScheduledExecutorService watch) {

    /** Limit for the whole request, from the DNS lookup to the last byte. */
    public static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** Limit for the body after decompression. */
    public static final int MAX_BYTES = 64 * 1024;

    /** Limit for header and body together, before decompression. */
    private static final int MAX_RECEIVED_BYTES = 2 * MAX_BYTES;

    /** How often the time and the received bytes are checked. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(10);

    private static final RequestConfig CONFIG = RequestConfig.custom()
            .setConnectionRequestTimeout((int) TIMEOUT.toMillis())
            // Longer than TIMEOUT, so that the watch aborts the request first and the failure has its reason.
            .setConnectTimeout((int) TIMEOUT.plusSeconds(1).toMillis())
            .setSocketTimeout((int) TIMEOUT.plusSeconds(1).toMillis())
            .setRedirectsEnabled(false)
            .build();

    /** @return what the host sent, not parsed, or why there is nothing to use; this never quotes the host's answer */
    FetchedJwks fetch(String url) {
        long start = System.nanoTime();
        AtomicReference<String> rejection = new AtomicReference<>();
        String json = null;
        try {
            json = sendWatched(request(url), start + TIMEOUT.toNanos(), rejection);
        } catch (Throwable e) {
            // Also an Error: otherwise the load would never end, and its URL would never be loaded again.
            rejection.compareAndSet(null, ConnectionFailure.describe(e));
        }
        String failure = rejection.get();
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        CheckTokenTimer.KEY_FETCHES.record(realm, failure == null, time);
        return new FetchedJwks(failure == null ? json : null, failure, start, time);
    }

    /**
     * Aborting a request closes its connection, but interrupts neither a DNS lookup nor the pause before a retry.
     *
     * @param deadline a value of {@link System#nanoTime()}
     * @param rejection is set if an answer, or a request without one, exceeds a limit
     */
    private String sendWatched(HttpGet request, long deadline, AtomicReference<String> rejection) throws IOException {
        JwksRequestContext context = new JwksRequestContext();
        Runnable check = () -> exceededLimit(context, deadline).ifPresent(reason -> {
            rejection.compareAndSet(null, reason);
            request.abort();
        });
        Future<?> checks = watch.scheduleWithFixedDelay(
                check, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        try (CloseableHttpResponse response = client.execute(request, context)) {
            int status = response.getStatusLine().getStatusCode();
            if (status != HttpStatus.SC_OK || response.getEntity() == null) {
                rejection.compareAndSet(null, "status " + status);
                return null;
            }
            byte[] bytes = response.getEntity().getContent().readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                rejection.compareAndSet(null, "more than " + MAX_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } finally {
            checks.cancel(false);
        }
    }

    private static Optional<String> exceededLimit(JwksRequestContext context, long deadline) {
        if (context.receivedBytes() > MAX_RECEIVED_BYTES) {
            return Optional.of("more than " + MAX_RECEIVED_BYTES + " bytes with its header");
        }
        return System.nanoTime() < deadline
                ? Optional.empty()
                : Optional.of("no answer within " + TIMEOUT.toSeconds() + " s");
    }

    private static HttpGet request(String url) {
        HttpGet request = new HttpGet(url);
        request.setConfig(CONFIG);
        request.setHeader(HttpHeaders.ACCEPT, "application/jwk-set+json, " + MediaType.APPLICATION_JSON);
        return request;
    }
}
