package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import io.github.checktoken.telemetry.Meters;
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
    static final int MAX_BYTES = 64 * 1024;

    /** With the header, before decompression. */
    static final int MAX_RECEIVED_BYTES = 2 * MAX_BYTES;

    /** How often it is looked at that. */
    private static final Duration LOOK = Duration.ofMillis(10);

    private static final RequestConfig CONFIG = RequestConfig.custom()
            .setConnectionRequestTimeout((int) TIMEOUT.toMillis())
            .setConnectTimeout((int) TIMEOUT.toMillis())
            .setSocketTimeout((int) TIMEOUT.toMillis())
            .setRedirectsEnabled(false)
            .build();

    private final CloseableHttpClient client;
    private final String realm;

    /** @param realm its name, for the meter */
    JwksRequest(CloseableHttpClient client, String realm) {
        this.client = client;
        this.realm = realm;
    }

    /** @throws IOException when there is no answer in time, not 200, too large, or the address is none; quotes no host */
    String get(String url) throws IOException {
        long begin = System.nanoTime();
        String outcome = "failure";
        try {
            String answer = await(url);
            outcome = "success";
            return answer;
        } finally {
            Meters.fetched(realm, outcome, Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    /**
     * The request has a thread of its own: aborting it ends a connection, but neither a name service that does not
     * answer nor the pause before a retry.
     */
    private String await(String url) throws IOException {
        HttpGet request = request(url);
        ReceivedBytes received = new ReceivedBytes();
        FutureTask<String> answer = new FutureTask<>(() -> send(request, received));
        Thread thread = new Thread(answer, "checktoken-jwks");
        thread.setDaemon(true);
        thread.start();
        try {
            return await(answer, received);
        } catch (Refusal e) {
            request.abort();
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Refusal refusal ? refusal : new IOException(types(e.getCause()));
        } catch (TimeoutException e) {
            request.abort();
            throw new IOException("no answer within " + TIMEOUT.toSeconds() + " s");
        } catch (InterruptedException e) {
            request.abort();
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static String await(FutureTask<String> answer, ReceivedBytes received)
            throws ExecutionException, TimeoutException, InterruptedException, Refusal {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (received.count() <= MAX_RECEIVED_BYTES) {
            try {
                return answer.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (System.nanoTime() >= end) {
                    throw e;
                }
            }
        }
        throw new Refusal("more than " + MAX_RECEIVED_BYTES + " bytes with its header");
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

    private String send(HttpGet request, ReceivedBytes received) throws IOException {
        try (CloseableHttpResponse response = client.execute(request, received)) {
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
