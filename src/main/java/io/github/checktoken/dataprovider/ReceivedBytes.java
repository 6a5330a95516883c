package io.github.checktoken.dataprovider;

import org.apache.http.HttpConnection;
import org.apache.http.HttpConnectionMetrics;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.protocol.HttpCoreContext;

/**
 * How much a host has sent for one request. Keycloak's client reads a header of any length into memory, and a server out
 * of memory ends: somebody has to look while it reads.
 */
final class ReceivedBytes extends HttpClientContext {

    private volatile HttpConnectionMetrics metrics;
    private volatile long before;

    /** @return header and body, before decompression; 0 until the request has its connection */
    long count() {
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
