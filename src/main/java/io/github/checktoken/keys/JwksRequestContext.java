package io.github.checktoken.keys;

import org.apache.http.HttpConnection;
import org.apache.http.HttpConnectionMetrics;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.protocol.HttpCoreContext;

/**
 * What one request knows of itself: how much a host has sent for it, and no credentials. Keycloak's client reads a header
 * of any length into memory, and a server out of memory ends, so somebody has to look while it reads. The same client
 * keeps the credentials of every address that it was given with some, and would send them to that host again.
 */
final class JwksRequestContext extends HttpClientContext {

    private volatile HttpConnectionMetrics metrics;
    private volatile long before;

    JwksRequestContext() {
        setCredentialsProvider(new BasicCredentialsProvider());
    }

    /** @return header and body, before decompression; 0 until the request has its connection */
    long receivedBytes() {
        return metrics == null ? 0 : metrics.getReceivedBytesCount() - before;
    }

    /** The client hands each connection over before it sends. One from the pool has counted earlier answers. */
    @Override
    public void setAttribute(String name, Object value) {
        super.setAttribute(name, value);
        if (HttpCoreContext.HTTP_CONNECTION.equals(name) && value instanceof HttpConnection connection) {
            HttpConnectionMetrics current = connection.getMetrics();
            before = current.getReceivedBytesCount();
            metrics = current;
        }
    }
}
