package io.github.checktoken.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import io.github.checktoken.telemetry.CheckTokenMetrics;
import org.apache.http.HttpStatus;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;

/** One GET of a JWK Set with Keycloak's HTTP client (its proxy, its truststore), bounded in time and size. */
final class JwksRequest {

    /** For all of it, from the name of the host to the last byte. */
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** After decompression. */
    private static final int MAX_BYTES = EncryptionKeySelector.MAX_BYTES;

    /** With the header, before decompression. */
    private static final int MAX_RECEIVED_BYTES = 2 * MAX_BYTES;

    /** How often it is looked at that. */
    private static final Duration LOOK = Duration.ofMillis(10);

    private static final RequestConfig CONFIG = RequestConfig.custom()
            .setConnectionRequestTimeout((int) TIMEOUT.toMillis())
            // The watch is to be first, and says what took too long.
            .setConnectTimeout((int) TIMEOUT.plusSeconds(1).toMillis())
            .setSocketTimeout((int) TIMEOUT.plusSeconds(1).toMillis())
            .setRedirectsEnabled(false)
            .build();

    private final CloseableHttpClient client;
    private final String realm;
    private final ScheduledExecutorService watch;

    /**
     * @param realm its name, for the meter
     * @param watch ends the request when it takes too long or receives too much
     */
    JwksRequest(CloseableHttpClient client, String realm, ScheduledExecutorService watch) {
        this.client = client;
        this.realm = realm;
        this.watch = watch;
    }

    /** @throws IOException when there is no answer in time, not 200, too large, or the address is none; quotes no host */
    String get(String url) throws IOException {
        long begin = System.nanoTime();
        String outcome = "failure";
        try {
            String answer = watched(request(url), begin + TIMEOUT.toNanos());
            outcome = "success";
            return answer;
        } finally {
            CheckTokenMetrics.fetched(realm, outcome, Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    /** Aborting a request ends a connection, but neither a name service that does not answer nor the pause before a retry. */
    private String watched(HttpGet request, long end) throws IOException {
        JwksRequestContext context = new JwksRequestContext();
        AtomicReference<Refusal> refusal = new AtomicReference<>();
        Runnable look = () -> excess(context, end).ifPresent(reason -> {
            refusal.compareAndSet(null, new Refusal(reason));
            request.abort();
        });
        Future<?> looking = watch.scheduleWithFixedDelay(look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return send(request, context);
        } catch (Refusal e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw refusal.get() != null ? refusal.get() : new IOException(types(e));
        } finally {
            looking.cancel(false);
        }
    }

    private static Optional<String> excess(JwksRequestContext context, long end) {
        if (context.receivedBytes() > MAX_RECEIVED_BYTES) {
            return Optional.of("more than " + MAX_RECEIVED_BYTES + " bytes with its header");
        }
        return System.nanoTime() < end
                ? Optional.empty()
                : Optional.of("no answer within " + TIMEOUT.toSeconds() + " s");
    }

    private static HttpGet request(String url) throws IOException {
        try {
            HttpGet request = new HttpGet(url);
            request.setConfig(CONFIG);
            request.setHeader(HttpHeaders.ACCEPT, "application/jwk-set+json, " + MediaType.APPLICATION_JSON);
            return request;
        } catch (IllegalArgumentException e) {
            throw new IOException("not an address", e);
        }
    }

    private String send(HttpGet request, JwksRequestContext context) throws IOException {
        try (CloseableHttpResponse response = client.execute(request, context)) {
            int status = response.getStatusLine().getStatusCode();
            if (status != HttpStatus.SC_OK || response.getEntity() == null) {
                throw new Refusal("status " + status);
            }
            byte[] bytes = response.getEntity().getContent().readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new Refusal("more than " + MAX_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The types alone, outermost first: the messages quote what the host sent, of any length, and end in logs. */
    private static String types(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(cause -> cause.getClass().getSimpleName())
                .collect(Collectors.joining(", "));
    }

    /** An answer that is not taken, in words of ours. */
    private static final class Refusal extends IOException {

        private Refusal(String message) {
            super(message);
        }
    }
}
