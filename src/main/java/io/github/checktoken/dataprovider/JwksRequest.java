package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.models.KeycloakSession;

import org.apache.http.HttpEntity;
import org.apache.http.HttpStatus;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;

/** One GET of a JWK Set with Keycloak's HTTP client (its proxy, its truststore), bounded in time and size. */
final class JwksRequest {

    /** For all of it, from the connection to the last byte. */
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    static final int MAX_BYTES = 64 * 1024;

    private static final Executor DEADLINE =
            CompletableFuture.delayedExecutor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);

    private static final RequestConfig CONFIG = RequestConfig.custom()
            .setConnectionRequestTimeout((int) TIMEOUT.toMillis())
            .setConnectTimeout((int) TIMEOUT.toMillis())
            .setSocketTimeout((int) TIMEOUT.toMillis())
            .setRedirectsEnabled(false)
            .build();

    private final KeycloakSession session;

    JwksRequest(KeycloakSession session) {
        this.session = session;
    }

    /** @throws IOException when there is no answer in time, not 200, too large, or the address is none */
    String get(String url) throws IOException {
        HttpGet request = request(url);
        CompletableFuture<Void> deadline = CompletableFuture.runAsync(request::abort, DEADLINE);
        try (CloseableHttpResponse response =
                session.getProvider(HttpClientProvider.class).getHttpClient().execute(request)) {
            int status = response.getStatusLine().getStatusCode();
            if (status != HttpStatus.SC_OK || response.getEntity() == null) {
                throw new IOException("status " + status);
            }
            return body(request, response.getEntity());
        } finally {
            deadline.cancel(false);
        }
    }

    private static HttpGet request(String url) throws IOException {
        try {
            HttpGet request = new HttpGet(url);
            request.setConfig(CONFIG);
            request.setHeader(HttpHeaders.ACCEPT, "application/jwk-set+json, " + MediaType.APPLICATION_JSON);
            return request;
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("not an address", e);
        }
    }

    private static String body(HttpGet request, HttpEntity entity) throws IOException {
        InputStream content = entity.getContent();
        byte[] bytes = content.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            // Closing would read the rest for the sake of the connection.
            request.abort();
            throw new IOException("more than " + MAX_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
