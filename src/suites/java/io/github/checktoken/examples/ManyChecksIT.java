package io.github.checktoken.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Keytool;
import io.github.checktoken.support.server.TestAuthority;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A program makes 500 checks at once, with a library and then with its language's HTTP client alone, against a server with
 * TLS. PHP's library is for processes that have one call each, so it is not here.
 */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class ManyChecksIT {

    private static final Path PROGRAMS = Path.of("src", "suites", "many");
    private static final int CHECKS = 500;
    private static final Set<String> IN_TIME = Set.of("active", "busy");

    private final Federation federation;

    private final TestAuthority authority;

    ManyChecksIT(Federation federation, TestAuthority authority) {
        this.federation = federation;
        this.authority = authority;
    }

    @ParameterizedTest
    @CsvSource({
        "NODE, many.mjs, node many.mjs",
        "JAVA, Many.java, java -Djavax.net.ssl.trustStore=$TRUST_STORE -Djavax.net.ssl.trustStorePassword=demo-keystore-password -cp * Many.java",
        "PYTHON, many.py, python3 many.py",
        "GO, many.go, go build -o many many.go && ./many"
    })
    void eachIsAnsweredOrToldToWait(Example library, String program, String command)
            throws IOException, GeneralSecurityException {
        Path copied = library.folder().resolve(program);
        Files.copy(PROGRAMS.resolve(program), copied, StandardCopyOption.REPLACE_EXISTING);

        ExampleRun run = ExampleRun.of(
                        command.replace("*", "'*'") + " #", library.folder(), environment(), "", List.of())
                .expectSuccess();

        System.out.println(library + ": " + run.output().replace("\n", " "));
        JsonNode counts =
                Http.json(run.output().lines().findFirst().orElseThrow()).path("counts");
        Set<String> outcomes = new TreeSet<>();
        counts.fieldNames().forEachRemaining(outcomes::add);
        assertTrue(IN_TIME.containsAll(outcomes), run::output);
        assertTrue(counts.path("active").asInt() > 0, run::output);
        int sum = 0;
        for (String outcome : outcomes) {
            sum += counts.path(outcome).asInt();
        }
        assertEquals(CHECKS, sum);
    }

    private Map<String, String> environment() throws IOException, GeneralSecurityException {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .signedWith("ES256")
                .encryptedWith("ECDH-ES")
                .key(PrivateKeys.ec())
                .create();
        Map<String, String> environment = new HashMap<>(Map.of(
                "REALM", federation.secureUrl(),
                "CLIENT_ID", dataProvider.clientId(),
                "CLIENT_SECRET", dataProvider.secret(),
                "PRIVATE_KEYS", PrivateKeys.write(dataProvider.privateKey()).toString(),
                "TOKEN", token(),
                "CHECKS", String.valueOf(CHECKS),
                "GOPROXY", "off",
                "GOFLAGS", "-mod=mod"));
        for (String variable : List.of("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE")) {
            environment.put(variable, authority.certificate().toString());
        }
        environment.put("TRUST_STORE", trustStore().toString());
        return environment;
    }

    /** Issued at the address with TLS, because this server takes its issuer from the request. */
    private String token() {
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

    private Path trustStore() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream certificate = Files.newInputStream(authority.certificate())) {
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
        }
        Path file = ExampleFiles.newFile("trusted-", ".p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            trusted.store(out, Keytool.PASSWORD.toCharArray());
        }
        return file;
    }
}
