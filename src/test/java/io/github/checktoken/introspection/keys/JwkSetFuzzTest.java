package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.math.BigInteger;
import java.text.ParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.util.JsonSerialization;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.fuzz.Fuzz;
import io.github.checktoken.fuzz.FuzzTarget;
import io.github.checktoken.fuzz.HostileInput;
import io.github.checktoken.introspection.jose.AnswerEncrypter;
import io.github.checktoken.introspection.jose.JoseAlgorithms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("fuzz")
class JwkSetFuzzTest {

    /** RFC 7517 appendix A.1, RFC 7520 section 3.1, RFC 7748 section 6.1. */
    private static final List<Map<String, String>> KEYS = List.of(
            Map.of(
                    "kty", "RSA",
                    "n",
                            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRX"
                                    + "jBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqz"
                                    + "s8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-"
                                    + "G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
                    "e", "AQAB"),
            Map.of(
                    "kty", "EC",
                    "crv", "P-256",
                    "x", "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
                    "y", "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"),
            Map.of(
                    "kty", "EC",
                    "crv", "P-521",
                    "x", "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt",
                    "y", "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1"),
            Map.of("kty", "OKP", "crv", "X25519", "x", "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"));

    @Test
    void keyThatFitsCanBeEncryptedToAndAGoodKeyIsFoundBehindBadOnes() {
        String good = json(KEYS.get(1));
        Fuzz.check(FuzzTarget.JWK_SETS, hostile -> List.of(key(hostile), key(hostile)), input -> {
            String set = "{\"keys\":[" + input.get(0) + "," + input.get(1) + "," + good + "]}";
            for (String algorithm : JoseAlgorithms.KEY_MANAGEMENT) {
                find(set, algorithm).ifPresent(key -> new AnswerEncrypter(key, algorithm).encrypt("answer", "A128GCM"));
            }
            assertTrue(find(set, "ECDH-ES").isPresent() || !isJson(set), "the good key was not found");
        });
    }

    /** @return a good key with some strange members, or now and then any JSON */
    private static String key(HostileInput hostile) {
        if (hostile.oneIn(10)) {
            return hostile.json("kty", "crv", "x", "RSA", "EC");
        }
        Map<String, String> key = new LinkedHashMap<>(hostile.oneOf(KEYS));
        key.replaceAll((name, value) -> HostileInput.quoted(value));
        for (int changes = hostile.below(4); changes > 0; changes--) {
            String name = hostile.oneOf("n", "e", "x", "y", "kid", "alg", "use", "key_ops", "crv", "kty", "x5c", "d");
            key.put(name, member(hostile, key.getOrDefault(name, "\"\"")));
        }
        return key.entrySet().stream()
                .map(member -> HostileInput.quoted(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String member(HostileInput hostile, String value) {
        return switch (hostile.below(6)) {
            case 0 -> HostileInput.quoted(hostile.mutated(value));
            case 1 -> hostile.json("enc", "sig", "encrypt");
            case 2 ->
                HostileInput.quoted(hostile.oneOf(
                        "enc",
                        "sig",
                        "P-256",
                        "P-384",
                        "P-521",
                        "X25519",
                        "secp256k1",
                        "RSA",
                        "EC",
                        "OKP",
                        "ECDH-ES",
                        "RSA-OAEP",
                        "RSA-OAEP-256",
                        "RSA1_5",
                        "dir",
                        "Aw",
                        "AQ",
                        "AA",
                        "AQAB"));
            case 3 -> "[\"deriveKey\",\"verify\"]";
            case 4 -> base64(hostile.bytes(hostile.oneOf(0, 1, 31, 32, 33, 65, 66, 67, 256, 512, 2048, 2049)));
            default -> beyondTheField(hostile, value);
        };
    }

    /** @return a coordinate outside the field that is the same modulo the field's prime */
    private static String beyondTheField(HostileInput hostile, String value) {
        Curve curve = hostile.oneOf(Curve.P_256, Curve.P_384, Curve.P_521);
        BigInteger prime = ((java.security.spec.ECFieldFp)
                        curve.toECParameterSpec().getCurve().getField())
                .getP();
        try {
            return base64(new BigInteger(1, Base64.getUrlDecoder().decode(value.replace("\"", "")))
                    .add(prime)
                    .toByteArray());
        } catch (IllegalArgumentException e) {
            return base64(prime.toByteArray());
        }
    }

    private static String base64(byte[] bytes) {
        return HostileInput.quoted(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    private static Optional<KeyWrapper> find(String json, String algorithm) {
        try {
            return EncryptionKeySelector.find(JwkSet.parse(json), algorithm).map(SelectedKey::key);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isJson(String text) {
        try {
            return JSONObjectUtils.parse(text) != null;
        } catch (ParseException e) {
            return false;
        }
    }

    private static String json(Map<String, String> key) {
        try {
            return JsonSerialization.writeValueAsString(key);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
