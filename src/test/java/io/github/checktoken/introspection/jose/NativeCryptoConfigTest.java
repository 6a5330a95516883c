package io.github.checktoken.introspection.jose;

import java.util.Map;

import io.github.checktoken.settings.Options;
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
        assertFalse(NativeCryptoConfig.of(new Options(Map.of())).isOff());
        assertFalse(config("auto").isOff());
        assertTrue(config("off").isOff());
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "true", "Off", "", "auto,off"})
    void anotherValueStopsTheStartAndSaysWhatIsRight(String value) {
        Exception refusal = assertThrows(IllegalArgumentException.class, () -> config(value));
        assertEquals("The option native-crypto must be auto or off", refusal.getMessage());
    }

    private static NativeCryptoConfig config(String value) {
        return NativeCryptoConfig.of(new Options(Map.of("native-crypto", value)));
    }
}
