package io.github.checktoken.introspection.secretguess;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.settings.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SecretGuessLimitTest {

    @Test
    void thirtyWithinTenMinutesUnlessSet() {
        SecretGuessLimit limit = SecretGuessLimit.of(new Options(Map.of()));
        assertEquals(new SecretGuessLimit(30, 600, List.of(), Set.of()), limit);
        assertFalse(limit.isOff());
    }

    @Test
    void zeroIsOff() {
        assertTrue(SecretGuessLimit.of(new Options(Map.of("max-wrong-secrets", "0")))
                .isOff());
    }

    @Test
    void prefixesHaveCommasInBetween() {
        Options options = new Options(Map.of("nat64-prefixes", "2001:db8:64::/96, 64:ff9b:1::/48"));
        assertEquals(
                List.of(Ipv6Prefix.of("2001:db8:64::/96"), Ipv6Prefix.of("64:ff9b:1::/48")),
                SecretGuessLimit.of(options).nat64Prefixes());
    }

    @ParameterizedTest
    @CsvSource({
        "max-wrong-secrets, -1",
        "max-wrong-secrets, 301",
        "max-wrong-secrets, many",
        "wrong-secrets-seconds, 0",
        "wrong-secrets-seconds, 86401",
        "nat64-prefixes, 2001:db8:64::",
        "nat64-prefixes, 2001:db8:64::/95",
        "nat64-prefixes, 2001:db8:64::x/96",
        "nat64-prefixes, 192.0.2.0/96",
        "nat64-prefixes, ::ffff:192.0.2.1/96",
        "nat64-prefixes, localhost/96"
    })
    void whatCannotBeMeantIsRefused(String name, String value) {
        Options options = new Options(Map.of(name, value));
        assertThrows(IllegalArgumentException.class, () -> SecretGuessLimit.of(options));
    }
}
