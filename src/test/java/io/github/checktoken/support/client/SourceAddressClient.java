package io.github.checktoken.support.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.apache.http.HttpResponse;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/**
 * Posts forms from a given loopback address. On Linux, every address of 127.0.0.0/8 is one, and the server sees which
 * one it is. The JDK's client would choose the address itself.
 */
public final class SourceAddressClient implements AutoCloseable {

    /** The constant of HttpClient says ISO-8859-1. */
    private static final ContentType FORM = ContentType.APPLICATION_FORM_URLENCODED.withCharset(StandardCharsets.UTF_8);

    private final CloseableHttpClient client;

    /** @param connections the largest number of connections at once */
    public SourceAddressClient(String address, int connections) {
        try {
            client = HttpClients.custom()
                    .setMaxConnPerRoute(connections)
                    .setMaxConnTotal(connections)
                    .disableCookieManagement()
                    .setDefaultRequestConfig(RequestConfig.custom()
                            .setLocalAddress(InetAddress.getByName(address))
                            .build())
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param headers some headers, so that two answers can be compared by them too */
    public record Response(int status, String body, String headers) {}

    /** @param authorization the header, or null for none */
    public Response post(String url, Map<String, String> form, String authorization) {
        // Uses the number, because "localhost" may stand for an IPv6 address, which an IPv4 address cannot reach.
        HttpPost post = new HttpPost(url.replace("//localhost:", "//127.0.0.1:"));
        post.setEntity(new StringEntity(Http.encode(form), FORM));
        if (authorization != null) {
            post.setHeader("Authorization", authorization);
        }
        try (CloseableHttpResponse response = client.execute(post)) {
            return new Response(
                    response.getStatusLine().getStatusCode(),
                    EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8),
                    header(response, "Content-Type")
                            + header(response, "Cache-Control")
                            + header(response, "WWW-Authenticate")
                            + header(response, "Retry-After"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String header(HttpResponse response, String name) {
        return name + ": " + response.getFirstHeader(name) + "\n";
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
