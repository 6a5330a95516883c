package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.realm.Federation;

/** What a service provider's program finds in its environment. */
final class ProgramSettings {

    private ProgramSettings() {}

    /**
     * Registers a client with a free port of its own.
     *
     * @param algorithm signs its ID tokens
     */
    static Map<String, String> register(Federation federation, String algorithm) {
        String clientId = "sp-" + UUID.randomUUID();
        String secret = "secret-of-" + clientId;
        String redirectUri = "http://localhost:" + freePort() + "/sp-town/callback";
        federation
                .admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId", clientId,
                                "secret", secret,
                                "redirectUris", List.of(redirectUri),
                                "attributes",
                                        Map.of(
                                                "id.token.signed.response.alg",
                                                algorithm,
                                                "client.use.lightweight.access.token.enabled",
                                                "true"),
                                "defaultClientScopes", List.of("basic", "acr", "amr"),
                                "optionalClientScopes", List.of("given_name", "family_name", "tax_income")));
        return new HashMap<>(Map.of(
                "REALM", federation.url(),
                "CLIENT_ID", clientId,
                "CLIENT_SECRET", secret,
                "REDIRECT_URI", redirectUri,
                "SCOPE", "openid given_name family_name tax_income"));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
