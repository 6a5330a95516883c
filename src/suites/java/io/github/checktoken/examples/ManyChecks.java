package io.github.checktoken.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Keytool;
import io.github.checktoken.support.server.TestAuthority;

/**
 * The programs of {@code src/suites/many}, each of which makes many checks at once with a library. PHP's library is for
 * processes that have one call each, so it is not here.
 */
enum ManyChecks {
    NODE(Example.NODE, "many.mjs", "node many.mjs"),
    JAVA(Example.JAVA, "Many.java", "java -cp '*' Many.java"),
    PYTHON(Example.PYTHON, "many.py", "python3 many.py"),
    GO(Example.GO, "many.go", "go run many.go");

    private static final Path PROGRAMS = Path.of("src", "suites", "many");

    private final Example library;
    private final String program;
    private final String command;

    ManyChecks(Example library, String program, String command) {
        this.library = library;
        this.program = program;
        this.command = command;
    }

    /**
     * @param prefix a program that starts the command, with its arguments and a space; empty for none
     * @return how many checks had each outcome: {@code active}, {@code inactive} or the reason of an error
     */
    Map<String, Integer> run(String prefix, Map<String, String> environment) {
        copyProgram();
        Map<String, String> all = new HashMap<>(environment);
        all.put("COMMAND", command);
        ExampleRun run = ExampleRun.of(prefix + "bash -c \"$COMMAND\" #", library.folder(), all, "", List.of())
                .expectSuccess();
        System.out.println(this + ": " + run.output().replace("\n", " "));
        JsonNode counts =
                Http.json(run.output().lines().findFirst().orElseThrow()).path("counts");
        Map<String, Integer> outcomes = new TreeMap<>();
        counts.fields()
                .forEachRemaining(
                        count -> outcomes.put(count.getKey(), count.getValue().asInt()));
        return outcomes;
    }

    /** Once, because another test may run the program at the same time. */
    private synchronized void copyProgram() {
        Path copy = library.folder().resolve(program);
        try {
            if (Files.notExists(copy)) {
                Files.copy(PROGRAMS.resolve(program), copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The programs' settings, with a new data provider and a new token.
     *
     * @param realmUrl what the realm's issuer is at its address with TLS
     */
    static Map<String, String> environment(
            Federation federation, TestAuthority authority, String realmUrl, int checks) {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .signedWith("ES256")
                .encryptedWith("ECDH-ES")
                .key(PrivateKeys.ec())
                .create();
        Map<String, String> environment = new HashMap<>(Map.of(
                "REALM", realmUrl,
                "CLIENT_ID", dataProvider.clientId(),
                "CLIENT_SECRET", dataProvider.secret(),
                "PRIVATE_KEYS", PrivateKeys.write(dataProvider.privateKey()).toString(),
                "TOKEN", token(federation, authority),
                "CHECKS", String.valueOf(checks),
                "GOPROXY", "off",
                "GOFLAGS", "-mod=mod"));
        for (String variable : List.of("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE")) {
            environment.put(variable, authority.certificate().toString());
        }
        environment.put(
                "JDK_JAVA_OPTIONS",
                "-Djavax.net.ssl.trustStore=" + trustStore(authority) + " -Djavax.net.ssl.trustStorePassword="
                        + Keytool.PASSWORD);
        return environment;
    }

    /** Issued at the address with TLS, because a server without a public name takes its issuer from the request. */
    private static String token(Federation federation, TestAuthority authority) {
        String client = "sp-" + UUID.randomUUID();
        federation
                .admin()
                .create(
                        "/clients",
                        Map.of(
                                "clientId",
                                client,
                                "publicClient",
                                true,
                                "directAccessGrantsEnabled",
                                true,
                                "authenticationFlowBindingOverrides",
                                Map.of("direct_grant", federation.admin().flow("direct grant"))));
        Map<String, String> form = Map.of(
                "grant_type", "password", "client_id", client, "username", "camille", "password", "demo-password");
        return Http.json(Http.send(
                        authority.client(), Http.form(federation.secureUrl() + "/protocol/openid-connect/token", form)))
                .path("access_token")
                .asText();
    }

    private static Path trustStore(TestAuthority authority) {
        try (InputStream certificate = Files.newInputStream(authority.certificate())) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
            Path file = ExampleFiles.newFile("trusted-", ".p12");
            try (OutputStream out = Files.newOutputStream(file)) {
                trusted.store(out, Keytool.PASSWORD.toCharArray());
            }
            return file;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
