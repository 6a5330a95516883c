package io.github.checktoken.support.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority. The server trusts it for clients, and the tests trust it for the server. Each run has a new
 * one.
 */
public final class TestAuthority {

    public static final String SUBJECT = "CN=Test authority";

    /** Names of the server in its certificate, beside {@code localhost}, for tests in networks where they are known. */
    public static final String PUBLIC_NAME = "login.example.org";

    public static final String INNER_NAME = "keycloak.example.internal";

    private static final String ALIAS = "authority";
    private static final char[] PASSWORD = Keytool.PASSWORD.toCharArray();

    private final Path folder;
    private final Keytool keytool;

    public TestAuthority() {
        try {
            folder = Files.createTempDirectory("checktoken-authority-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        folder.toFile().deleteOnExit();
        keytool = new Keytool(deleted("authority.p12")).generate(ALIAS, SUBJECT, "secp256r1", "-ext", "bc:critical");
    }

    /** @return a PKCS12 file with a key and a certificate for {@code localhost} */
    public Path serverKeyStore() {
        Path file = deleted("server.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            issueForThisHost().store(out, PASSWORD);
            return file;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private KeyStore issueForThisHost() throws GeneralSecurityException {
        return issue(
                "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1,dns:" + PUBLIC_NAME + ",dns:" + INNER_NAME);
    }

    /** Writes a key and a certificate for {@code localhost} as PEM. */
    public void writeServerPem(Path certificate, Path key) throws IOException {
        try {
            KeyStore store = issueForThisHost();
            String alias = store.aliases().nextElement();
            Files.writeString(
                    key, pem("PRIVATE KEY", store.getKey(alias, PASSWORD).getEncoded()));
            StringBuilder chain = new StringBuilder();
            for (Certificate each : store.getCertificateChain(alias)) {
                chain.append(pem("CERTIFICATE", each.getEncoded()));
            }
            Files.writeString(certificate, chain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    /** @return its own certificate as PEM */
    public Path certificate() {
        Path file = deleted("authority.pem");
        keytool.export(ALIAS, file);
        return file;
    }

    /** @return a client that has no certificate */
    public HttpClient client() {
        return client(new KeyManagerFactory[0]);
    }

    /** @return a client that presents a new certificate with this subject */
    public HttpClient client(String subject) {
        return client(subject, 90);
    }

    /** @param days after which the certificate expires */
    public HttpClient client(String subject, int days) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(issue(subject, "-validity", Integer.toString(days)), PASSWORD);
            return client(keys);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpClient client(KeyManagerFactory... keys) {
        try {
            KeyStore trusted = empty();
            trusted.setCertificateEntry(ALIAS, all().getCertificate(ALIAS));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.length == 0 ? null : keys[0].getKeyManagers(), trust.getTrustManagers(), null);
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(context)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Test classes that run at the same time issue certificates with one key store, so they take turns.
     *
     * @return a key store with one new key and its certificate
     */
    private synchronized KeyStore issue(String subject, String... further) throws GeneralSecurityException {
        String alias = UUID.randomUUID().toString();
        String[] arguments = new String[further.length + 2];
        arguments[0] = "-signer";
        arguments[1] = ALIAS;
        System.arraycopy(further, 0, arguments, 2, further.length);
        keytool.generate(alias, subject, "secp256r1", arguments);
        KeyStore all = all();
        KeyStore one = empty();
        one.setKeyEntry(alias, all.getKey(alias, PASSWORD), PASSWORD, all.getCertificateChain(alias));
        return one;
    }

    private synchronized KeyStore all() throws GeneralSecurityException {
        try (InputStream in = Files.newInputStream(folder.resolve("authority.p12"))) {
            KeyStore all = KeyStore.getInstance("PKCS12");
            all.load(in, PASSWORD);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException {
        try {
            KeyStore empty = KeyStore.getInstance("PKCS12");
            empty.load(null, null);
            return empty;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return a file that is deleted when the tests end */
    private Path deleted(String name) {
        Path file = folder.resolve(name);
        file.toFile().deleteOnExit();
        return file;
    }
}
