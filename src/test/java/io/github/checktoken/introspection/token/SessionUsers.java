package io.github.checktoken.introspection.token;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;

/** Connections that use the tokens of a session all the time, until they are closed. */
final class SessionUsers implements AutoCloseable {

    private final ExecutorService connections = Executors.newCachedThreadPool();
    private volatile boolean closed;
    private volatile Tokens tokens;

    SessionUsers(Tokens tokens) {
        this.tokens = tokens;
    }

    SessionUsers check(int number, DataProviderClient dataProvider) {
        for (int i = 0; i < number; i++) {
            repeat(() -> dataProvider.post(tokens.accessToken()));
        }
        return this;
    }

    SessionUsers refresh(int number, ServiceProvider serviceProvider) {
        for (int i = 0; i < number; i++) {
            repeat(() -> refresh(serviceProvider));
        }
        return this;
    }

    private void refresh(ServiceProvider serviceProvider) {
        HttpResponse<String> response = serviceProvider.post(
                "/protocol/openid-connect/token",
                Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken()));
        if (response.statusCode() == 200) {
            tokens = Tokens.of(Http.json(response));
        }
    }

    /** @return the newest tokens of the session */
    Tokens tokens() {
        return tokens;
    }

    private void repeat(Runnable use) {
        connections.execute(() -> {
            while (!closed) {
                use.run();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        connections.shutdown();
        try {
            if (!connections.awaitTermination(20, TimeUnit.SECONDS)) {
                throw new AssertionError("A connection has no answer");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
