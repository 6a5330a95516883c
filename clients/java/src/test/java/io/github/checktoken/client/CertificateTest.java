package io.github.checktoken.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CertificateTest {

    private static final char[] PASSWORD = "for-tests-only".toCharArray();

    private final AtomicReference<String> caller = new AtomicReference<>();

    @TempDir
    private Path folder;

    @Test
    void theConnectionHasTheCertificateAndTheBodyTheClientIdAlone() throws Exception {
        SSLContext context = context(keyStore(folder));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        String issuer = "https://127.0.0.1:" + server.getAddress().getPort() + "/api/v2";
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("POST")) {
                caller.set(((HttpsExchange) exchange).getSSLSession().getPeerPrincipal() + " "
                        + new String(body, StandardCharsets.UTF_8));
                answer(exchange, 401, Map.of());
            } else {
                answer(
                        exchange,
                        200,
                        Map.of(
                                "issuer",
                                issuer,
                                "introspection_endpoint",
                                issuer + "/checktoken",
                                "jwks_uri",
                                issuer + "/jwks",
                                "keys",
                                List.of()));
            }
        });
        server.start();
        try {
            CheckToken checkToken = CheckToken.builder(issuer.replace("/api/v2", ""), "dp")
                    .certificate(context)
                    .decryptionKeys(TestCheckToken.privateKey(
                            TestCheckToken.KIT.clients().get(0)))
                    .build();
            CheckTokenException refusal = assertThrows(CheckTokenException.class, () -> checkToken.check("t"));
            assertEquals("wrong-credentials", refusal.reason());
            assertTrue(Set.of("CN=dp client_id=dp&token=t", "CN=dp token=t&client_id=dp")
                    .contains(caller.get()));
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, int status, Map<String, Object> json) throws IOException {
        try (exchange) {
            byte[] body = JSONObjectUtils.toJSONString(json).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static SSLContext context(KeyStore keyStore) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keyStore, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keyStore);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    /** One certificate for both sides, which trust it. */
    static KeyStore keyStore(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=dp",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-ext",
                        "BC=ca:true",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
        KeyStore keyStore = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file)) {
            keyStore.load(stream, PASSWORD);
        }
        return keyStore;
    }
}
