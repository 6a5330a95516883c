package io.github.checktoken.client;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Right answers with something changed. Half of the changes are made before the encryption, as by somebody who has our
 * public key and one right answer. Even a copy that only spells the same differently is refused, as with unused bits of
 * Base64.
 *
 * <p>System property {@code mutations}: how many; {@code seed}: the seed of an earlier run.
 */
class MutationsTest {

    private static final int COUNT = Integer.getInteger("mutations", 10_000);
    private static final String TOKEN = KIT.token("active");
    private static final String TYPE = "application/token-introspection+jwt";

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, Integer> refusals = new TreeMap<>();

    @Test
    void noMutatedAnswerIsAccepted() throws Exception {
        TestClient client = KIT.clients().get(0);
        RSAKey recipient = (RSAKey) TestCheckToken.privateKey(client);
        String[] bodies;
        AnswerReader reader;
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            bodies = new String[] {body(platform, client, TOKEN), body(platform, client, "case.inactive")};
            CheckToken.Builder builder = TestCheckToken.builder(platform.issuer(), client);
            // However long the run takes, no answer is refused for its age alone.
            builder.clock = Clock.fixed(Instant.now(), ZoneOffset.UTC);
            reader = new AnswerReader(builder);
        }
        JWK key = KIT.key("platform-ES256").toPublicJWK();
        Function<JWKMatcher, JWK> keys = wanted -> wanted.matches(key) ? key : null;
        assertEquals(true, reader.read(TOKEN, TYPE, bodies[0], keys).get("active"));
        for (int i = 0; i < COUNT; i++) {
            String original = bodies[random.nextInt(4) / 3];
            JWEObject jwe = JWEObject.parse(original);
            String changed;
            if (i % 2 == 0) {
                changed = changed(original, bodies[1]);
            } else {
                jwe.decrypt(new RSADecrypter(recipient));
                changed = encrypted(jwe.getHeader(), changed(jwe.getPayload().toString(), original), recipient);
            }
            refuse(reader, keys, changed);
        }
        System.out.printf("%d mutated answers, seed %d: 0 accepted, refused: %s%n", COUNT, seed, refusals);
        assertTrue(refusals.size() >= 8, "the changes reach few checks: " + refusals);
    }

    @Test
    void anAnswerIsOnlyAboutATokenWithItsJti() throws Exception {
        TestClient client = KIT.clients().get(0);
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            AnswerReader reader = new AnswerReader(TestCheckToken.builder(platform.issuer(), client));
            String body = body(platform, client, TOKEN);
            JWK key = KIT.key("platform-ES256").toPublicJWK();
            for (String token : List.of("x", "not.a.jwt", "a.e30.b", "a.bnVsbA.b", "a..b", KIT.token("machine"))) {
                CheckTokenException refusal = assertThrows(
                        CheckTokenException.class, () -> reader.read(token, TYPE, body, wanted -> key), token);
                assertEquals("other-token", refusal.reason());
            }
        }
    }

    @Test
    void anAnswerForAKeyOf8192BitsIsRead() throws Exception {
        TestClient client = KIT.clients().get(0);
        RSAKey large = (RSAKey) KIT.keySet("large").getKeys().get(0);
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            JWEObject jwe = JWEObject.parse(body(platform, client, TOKEN));
            jwe.decrypt(new RSADecrypter((RSAKey) TestCheckToken.privateKey(client)));
            JWEHeader header = new JWEHeader.Builder(jwe.getHeader())
                    .keyID(large.getKeyID())
                    .build();
            String body = encrypted(header, jwe.getPayload().toString(), large);
            CheckToken.Builder builder =
                    TestCheckToken.builder(platform.issuer(), client).decryptionKeys(large);
            JWK key = KIT.key("platform-ES256").toPublicJWK();
            assertEquals(
                    true,
                    new AnswerReader(builder)
                            .read(TOKEN, TYPE, body, wanted -> key)
                            .get("active"));
        }
    }

    /** Nimbus fails in its own way for some of them. */
    @Test
    void headersWithNullAreRefused() {
        TestClient client = KIT.clients().get(0);
        AnswerReader reader = new AnswerReader(TestCheckToken.builder("http://127.0.0.1/api/v2", client));
        String right = "{\"alg\":\"RSA-OAEP-256\",\"enc\":\"A256GCM\",\"cty\":\"JWT\",\"kid\":\"data-provider-RSA\"";
        for (String header :
                List.of("null", right + ",\"epk\":null}", right + ",\"alg\":null}", right + ",\"crit\":[]}")) {
            String body = Base64URL.encode(header) + ".AA.AA.AA.AA";
            assertThrows(CheckTokenException.class, () -> reader.read(TOKEN, TYPE, body, wanted -> null), header);
        }
    }

    private void refuse(AnswerReader reader, Function<JWKMatcher, JWK> keys, String changed) {
        try {
            fail("seed " + seed + ", accepted " + reader.read(TOKEN, TYPE, changed, keys) + " from " + changed);
        } catch (CheckTokenException e) {
            refusals.merge(e.reason(), 1, Integer::sum);
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ", answer " + changed, e);
        }
    }

    private String changed(String text, String other) {
        StringBuilder changed = new StringBuilder(text);
        do {
            int at = random.nextInt(changed.length());
            switch (random.nextInt(9)) {
                case 0 -> changed.setCharAt(at, (char) (changed.charAt(at) ^ 1 << random.nextInt(7)));
                case 1 -> changed.setCharAt(at, base64Character());
                case 2 -> changed.insert(at, base64Character());
                case 3 -> changed.insert(at, (char) random.nextInt(random.nextBoolean() ? 128 : 0x10000));
                case 4 -> changed.deleteCharAt(at);
                case 5 -> changed.setLength(Math.max(1, at));
                case 6 -> changed.delete(at, Math.min(changed.length() - 1, at + random.nextInt(40)));
                case 7 -> replacePart(changed, random.nextInt(3) == 0 ? "" : part(other));
                default -> replacePart(changed, part(changed.toString()));
            }
        } while (random.nextInt(4) == 0 && !changed.isEmpty()
                || changed.toString().equals(text));
        return changed.toString();
    }

    private void replacePart(StringBuilder text, String by) {
        String[] parts = text.toString().split("\\.", -1);
        parts[random.nextInt(parts.length)] = by;
        text.replace(0, text.length(), String.join(".", parts) + (text.isEmpty() ? "x" : ""));
    }

    private String part(String text) {
        String[] parts = text.split("\\.", -1);
        return parts[random.nextInt(parts.length)];
    }

    private char base64Character() {
        String characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
        return characters.charAt(random.nextInt(characters.length()));
    }

    private static String encrypted(JWEHeader header, String content, RSAKey recipient) throws Exception {
        JWEObject jwe = new JWEObject(
                new JWEHeader.Builder(header.getAlgorithm(), header.getEncryptionMethod())
                        .contentType(header.getContentType())
                        .keyID(header.getKeyID())
                        .build(),
                new Payload(content));
        jwe.encrypt(new RSAEncrypter(recipient));
        return jwe.serialize();
    }

    private static String body(MockPlatform platform, TestClient client, String token) throws Exception {
        String form = "client_id=" + client.clientId() + "&client_secret=" + client.secret() + "&token=" + token;
        HttpRequest request = HttpRequest.newBuilder(URI.create(platform.issuer() + "/checktoken"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
