package io.github.checktoken.introspection.keys;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class PrivateKeysTest {

    @Test
    void privateMembersOfEachKeyAreNamedAndNotTheirValues() {
        String jwks = "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQ\",\"e\":\"AQAB\",\"d\":\"secret\",\"q\":\"secret\"},"
                + "{\"kty\":\"EC\",\"x\":\"a\"},{\"kty\":\"oct\",\"k\":\"secret\"}]}";
        assertEquals(
                Optional.of("1: d, q; 3: k"),
                JwkSet.of(jwks).flatMap(PrivateKeys::of).map(PrivateKeys::members));
    }

    @Test
    void setWithPublicKeysHasNone() {
        for (String jwks : new String[] {
            "{\"keys\":[{\"kty\":\"EC\",\"x\":\"a\",\"d\":null},\"d\"]}",
            "{\"keys\":[]}",
            "no JSON",
            "{\"d\":\"secret\"}"
        }) {
            assertEquals(Optional.empty(), JwkSet.of(jwks).flatMap(PrivateKeys::of));
        }
    }

    @Test
    void keyIsKnownByItsPublicMembers() {
        assertEquals(keys("one", "a"), keys("one", "b"));
        assertNotEquals(keys("one", "a"), keys("two", "a"));
    }

    private static Object keys(String x, String d) {
        String jwks = "{\"keys\":[{\"kty\":\"EC\",\"x\":\"" + x + "\",\"d\":\"" + d + "\"}]}";
        return JwkSet.of(jwks).flatMap(PrivateKeys::of).orElseThrow().keys();
    }
}
