package io.github.checktoken.support.server;

import java.io.IOException;
import java.util.List;

/** A database server on this machine that a test starts for itself, and that it can make fail. */
public interface DatabaseServer extends AutoCloseable {

    /** The arguments with which {@code kc.sh} uses this database. */
    List<String> arguments();

    /** Starts it again after {@link #stop}. */
    void start() throws IOException;

    /** Stops the server at once and cuts all connections. */
    void stop() throws IOException;

    /** Connections stay open, and new ones are accepted, but nothing answers. */
    void suspend() throws IOException;

    void resume() throws IOException;

    /** Closes all connections of Keycloak. The server stays up. */
    void closeConnections() throws IOException;

    @Override
    void close() throws IOException;
}
