package io.github.checktoken.introspection.keys;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class JwkMisfitTest {

    @ParameterizedTest
    @CsvSource({"alg,", "kid, 5", "key_ops, verify", "use, sig", "kty, EC"})
    void memberThatDoesNotFitIsNamed(String member, String value) {
        Map<String, Object> jwk = new HashMap<>(Map.of("kty", "RSA", "n", "AQ", "e", "AQAB"));
        jwk.put(member, "5".equals(value) ? 5 : value == null ? "" : value);

        assertEquals("1: no JSON object, 2: " + member, all("RSA-OAEP", "no key", jwk));
    }

    @Test
    void valueThatCannotBeUsedIsNamed() {
        assertEquals("1: n or e", all("RSA-OAEP", Map.of("kty", "RSA")));
        assertEquals("1: crv, x or y", all("ECDH-ES", Map.of("kty", "EC", "crv", "secp256k1")));
    }

    @Test
    void firstFiveOfManyAreNamed() {
        assertEquals("there is none", all("ECDH-ES"));
        assertEquals(
                "1: kty, 2: kty, 3: kty, 4: kty, 5: kty",
                all("ECDH-ES", new Map[] {Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of()}));
    }

    private static String all(String algorithm, Object... jwks) {
        return JwkMisfit.all(new JwkSet(List.of(jwks)), algorithm);
    }
}
