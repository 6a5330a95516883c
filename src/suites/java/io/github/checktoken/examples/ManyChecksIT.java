package io.github.checktoken.examples;

import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.TestAuthority;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A program makes 500 checks at once, with a library and then with its language's HTTP client alone, against a server with
 * TLS.
 */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class ManyChecksIT {

    private static final int CHECKS = 500;
    private static final Set<String> IN_TIME = Set.of("active", "busy");

    private final Federation federation;

    private final TestAuthority authority;

    ManyChecksIT(Federation federation, TestAuthority authority) {
        this.federation = federation;
        this.authority = authority;
    }

    @ParameterizedTest
    @EnumSource
    void eachIsAnsweredOrToldToWait(ManyChecks library) {
        Map<String, String> environment = ManyChecks.environment(federation, authority, federation.secureUrl(), CHECKS);
        environment.put("BARE", "yes");

        Map<String, Integer> outcomes = library.run("", environment);

        assertTrue(IN_TIME.containsAll(outcomes.keySet()), outcomes::toString);
        assertTrue(outcomes.getOrDefault("active", 0) > 0, outcomes::toString);
        assertEquals(
                CHECKS, outcomes.values().stream().mapToInt(Integer::intValue).sum());
    }
}
