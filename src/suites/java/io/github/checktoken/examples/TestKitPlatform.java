package io.github.checktoken.examples;

import java.text.ParseException;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.Http;

/** The mock platform of the test kit. It answers with the case that the token names, which is right or wrong. */
final class TestKitPlatform implements AutoCloseable {

    static final String RIGHT = TestKitCase.token("active");
    static final String STALLED = "case.stalled";
    static final String OF_TEN_MEGABYTES = "case.too-large";

    private final RunningExample program;
    private final String realmUrl;

    TestKitPlatform() {
        // By the name, because the programs use no TLS only there.
        program = new RunningExample(
                "node main.js", TestKitCase.KIT.resolve("mock-node"), Map.of("HOST", "localhost", "PORT", "0"));
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
            JsonNode client = find(TestKitCase.read("cases.json").get("clients"), "client_id", id);
            JsonNode agreed = client.get("agreed");
            String kid = "data-provider-" + agreed.get("kty").asText();
            ObjectNode key = (ObjectNode)
                    find(TestKitCase.read("keys/data-provider.json").get("keys"), "kid", kid);
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
    }
}
