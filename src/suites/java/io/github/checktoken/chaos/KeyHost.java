package io.github.checktoken.chaos;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * A host of JWK Sets. With each failure further data providers begin to call, whose keys Keycloak does not know yet;
 * keys that it knows are used for a day.
 */
final class KeyHost implements AutoCloseable {

    private static final int AT_ONCE = 2;

    private final KeycloakServer keycloak;
    private final JWK key;
    private final Queue<Provider> waiting = new ArrayDeque<>();
    private final List<Provider> calling = new CopyOnWriteArrayList<>();
    private JwksServer server;

    KeyHost(Federation federation, Neighbour neighbour, int providers, LogJudge log) {
        this.keycloak = federation.server();
        this.key = federation.tax().privateKey();
        this.server = new JwksServer(keycloak, key);
        for (int i = 0; i < providers; i++) {
            Provider provider = new Provider(
                    federation.newDataProvider().jwksUrl(server.url() + "?" + i).create(), Set.of(), neighbour);
            waiting.add(provider);
            log.expect(provider.client().clientId(), neighbour);
        }
        next();
    }

    /** @return the data providers that call, the newest last */
    List<Provider> calling() {
        return calling;
    }

    void stop() {
        server.close();
        next();
    }

    void start() {
        server = new JwksServer(keycloak, URI.create(server.url()).getPort(), key);
    }

    void behave(JwksServer.Behaviour behaviour) {
        server.behave(behaviour);
        next();
    }

    void serve() {
        server.serve(key);
    }

    @Override
    public void close() {
        server.close();
    }

    private void next() {
        for (int i = 0; i < AT_ONCE && !waiting.isEmpty(); i++) {
            calling.add(waiting.remove());
        }
    }
}
