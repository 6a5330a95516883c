package io.github.checktoken.introspection.keys;

import org.apache.http.HttpConnection;
import org.apache.http.HttpConnectionMetrics;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.protocol.HttpCoreContext;

/**
 * The context of one request. It counts the received bytes, because Keycloak's client reads a header of any length into
 * memory, which could exhaust the memory of the server. It has no credentials, because that client keeps the
 * credentials of every URL that contained some, and would send them to the same host again.
 */
final class JwksRequestContext extends HttpClientContext {

    private volatile HttpConnectionMetrics metrics;
    private volatile long receivedBefore;

    JwksRequestContext() {
        setCredentialsProvider(new BasicCredentialsProvider());
    }

    /** @return the bytes of header and body, before decompression; 0 until the request has its connection */
    long receivedBytes() {
        return metrics == null ? 0 : metrics.getReceivedBytesCount() - receivedBefore;
    }

    /**
     * The client sets each connection here before it sends. A pooled connection has already counted earlier answers.
     */
    @Override
    public void setAttribute(String name, Object value) {
        super.setAttribute(name, value);
        if (HttpCoreContext.HTTP_CONNECTION.equals(name) && value instanceof HttpConnection connection) {
            HttpConnectionMetrics current = connection.getMetrics();
            receivedBefore = current.getReceivedBytesCount();
            metrics = current;
        }
    }
}
