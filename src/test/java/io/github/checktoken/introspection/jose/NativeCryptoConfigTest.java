package io.github.checktoken.introspection.jose;

import java.util.Set;

import org.keycloak.Config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NativeCryptoConfigTest {

    @Test
    void nativeCodeIsUsedUnlessItIsOff() {
        assertFalse(NativeCryptoConfig.of(new Option(null)).isOff());
        assertFalse(NativeCryptoConfig.of(new Option("auto")).isOff());
        assertTrue(NativeCryptoConfig.of(new Option("off")).isOff());
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "true", "Off", "", "auto,off"})
    void anotherValueStopsTheStartAndSaysWhatIsRight(String value) {
        Exception refusal =
                assertThrows(IllegalArgumentException.class, () -> NativeCryptoConfig.of(new Option(value)));
        assertEquals("The option native-crypto must be auto or off", refusal.getMessage());
    }

    private static final class Option extends Config.AbstractScope {

        private final String value;

        Option(String value) {
            this.value = value;
        }

        @Override
        public String get(String key) {
            return key.equals("native-crypto") ? value : null;
        }

        @Override
        public Config.Scope scope(String... scope) {
            return this;
        }

        @Override
        public Config.Scope root() {
            return this;
        }

        @Override
        @Deprecated
        public Set<String> getPropertyNames() {
            return Set.of();
        }
    }
}
