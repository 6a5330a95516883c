package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.Http;

/** The mock platform of the test kit. It answers with the case that the token names, which is right or wrong. */
final class TestKitPlatform implements AutoCloseable {

    static final String RIGHT = "case.active";
    static final String KEY_ENCRYPTED_WITH_ANOTHER_ALGORITHM = "case.key-encryption-not-agreed";
    static final String STALLED = "case.stalled";
    static final String OF_TEN_MEGABYTES = "case.too-large";
    /** openid-client checks the age of no answer. */
    static final List<String> OF_ANOTHER_TIME = List.of("case.iat-too-old", "case.iat-in-the-future");

    /** What the guide says to reject in its steps 1 to 7. */
    static final List<String> WRONG = List.of(
            "case.signed-with-a-foreign-key",
            "case.kid-unknown",
            "case.algorithm-not-agreed",
            "case.algorithm-hs256-with-the-public-key",
            "case.algorithm-none",
            "case.not-signed",
            "case.not-encrypted",
            "case.plain-json",
            "case.jwe-as-json",
            "case.jws-as-json",
            "case.encrypted-twice",
            "case.critical-header-in-the-jwe",
            "case.critical-header-in-the-jws",
            "case.content-encryption-not-agreed",
            KEY_ENCRYPTED_WITH_ANOTHER_ALGORITHM,
            "case.type-missing",
            "case.type-jwt",
            "case.wrong-issuer",
            "case.wrong-audience",
            OF_ANOTHER_TIME.get(0),
            OF_ANOTHER_TIME.get(1),
            "case.missing-iat",
            "case.empty",
            "case.html",
            OF_TEN_MEGABYTES,
            "case.redirect",
            "case.redirect-of-the-body");

    private static final Path KIT = Path.of("clients", "testkit");

    private final RunningExample program;
    private final String realmUrl;

    TestKitPlatform() {
        // By the name, because the programs use no TLS only there.
        program =
                new RunningExample("node main.js", KIT.resolve("mock-node"), Map.of("HOST", "localhost", "PORT", "0"));
        realmUrl = program.await("Realm: (\\S+)");
    }

    String realmUrl() {
        return realmUrl;
    }

    /** @return how often somebody followed a redirect to another host */
    int callsElsewhere() {
        String origin = realmUrl.substring(0, realmUrl.indexOf("/realms/"));
        return Http.json(Http.send(Http.request(origin + "/elsewhere")))
                .get("calls")
                .asInt();
    }

    @Override
    public void close() {
        program.close();
    }

    /** @param key the private key, which names its algorithm as those of the guide do */
    record Client(String id, String secret, JWK key) {

        /** For ECDH-ES. */
        static Client withEcKey() {
            return of("dp-ecdh");
        }

        /** For RSA-OAEP-256. */
        static Client withRsaKey() {
            return of("dp-demo");
        }

        private static Client of(String id) {
            JsonNode client = find(read("cases.json").get("clients"), "client_id", id);
            JsonNode agreed = client.get("agreed");
            String kid = "data-provider-" + agreed.get("kty").asText();
            ObjectNode key = (ObjectNode) find(read("keys/data-provider.json").get("keys"), "kid", kid);
            key.set("alg", agreed.get("jwe_alg"));
            try {
                return new Client(id, client.get("client_secret").asText(), JWK.parse(key.toString()));
            } catch (ParseException e) {
                throw new IllegalStateException(e);
            }
        }

        private static JsonNode find(JsonNode list, String member, String value) {
            for (JsonNode one : list) {
                if (one.get(member).asText().equals(value)) {
                    return one;
                }
            }
            throw new IllegalStateException("No " + value);
        }

        private static JsonNode read(String file) {
            try {
                return Http.JSON.readTree(Files.readString(KIT.resolve(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
