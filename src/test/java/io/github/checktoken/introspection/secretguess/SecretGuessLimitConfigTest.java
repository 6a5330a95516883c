package io.github.checktoken.introspection.secretguess;

import java.util.List;
import java.util.Map;

import io.github.checktoken.settings.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SecretGuessLimitConfigTest {

    @Test
    void thirtyWithinTenMinutesUnlessSet() {
        SecretGuessLimitConfig config = SecretGuessLimitConfig.of(new Options(Map.of()));
        assertEquals(new SecretGuessLimitConfig(30, 600, List.of()), config);
        assertFalse(config.isOff());
    }

    @Test
    void zeroIsOff() {
        assertTrue(SecretGuessLimitConfig.of(new Options(Map.of("max-wrong-secrets", "0")))
                .isOff());
    }

    @Test
    void prefixesHaveCommasInBetween() {
        Options options = new Options(Map.of("nat64-prefixes", "2001:db8:64::/96, 64:ff9b:1::/48"));
        assertEquals(
                List.of(Ipv6Prefix.of("2001:db8:64::/96"), Ipv6Prefix.of("64:ff9b:1::/48")),
                SecretGuessLimitConfig.of(options).nat64Prefixes());
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
        assertThrows(IllegalArgumentException.class, () -> SecretGuessLimitConfig.of(options));
    }
}
