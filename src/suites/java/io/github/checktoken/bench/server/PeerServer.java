package io.github.checktoken.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;

/**
 * Another server whose introspection answers are signed and encrypted: {@code src/suites/node/peer.mjs}.
 *
 * @param issuer its address
 * @param token an access token that it has issued
 * @param client who may ask about it
 */
public record PeerServer(
        Process process, ServerMeter meter, String version, String issuer, String token, DataProviderClient client)
        implements AutoCloseable {

    private static final Path FOLDER = Path.of("src", "suites", "node");
    private static final String SECRET = "peer-demo-secret";

    /** The identity data of an answer of checktoken. */
    private static final Map<String, Object> CLAIMS = Map.of(
            "given_name", "Camille Louise Marie",
            "family_name", "Moreau",
            "gender", "female",
            "birthdate", "1988-03-14",
            "birthplace", "75107",
            "birthcountry", "99100");

    /** Installs its packages and starts it. It needs Node and npm. */
    public static PeerServer start(BenchSettings settings) throws IOException, InterruptedException, JOSEException {
        run("npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
        String version = "node-oidc-provider "
                + run("npm", "pkg", "get", "dependencies.oidc-provider").replace("\"", "") + ", Node "
                + run("node", "--version");
        RSAKey key = new RSAKeyGenerator(2048).keyID("rsa").generate();
        ProcessBuilder builder =
                program(Processors.on(settings.serverCpus(), "node", "peer.mjs").toArray(String[]::new));
        builder.environment().put("NODE_ENV", "production");
        Process process = builder.start();
        try (OutputStream input = process.getOutputStream()) {
            Http.JSON.writeValue(
                    input,
                    Map.of(
                            "secret", SECRET,
                            "encryptionKey", key.toPublicJWK().toJSONObject(),
                            "claims", CLAIMS));
        }
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        if (line == null) {
            throw new IllegalStateException("node peer.mjs ended");
        }
        JsonNode started = Http.json(line);
        String issuer = started.get("issuer").asText();
        return new PeerServer(
                process,
                ServerMeter.ofProcess(process.pid()),
                version,
                issuer,
                started.get("token").asText(),
                new DataProviderClient(issuer, "data-provider", SECRET, key));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = program(command).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + output);
        }
        return output.strip();
    }

    private static ProcessBuilder program(String... command) {
        return new ProcessBuilder(command).directory(FOLDER.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
