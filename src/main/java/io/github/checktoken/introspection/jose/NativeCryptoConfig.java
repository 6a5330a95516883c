package io.github.checktoken.introspection.jose;

import java.util.List;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;

/**
 * The server's setting for native code, as an option of the provider {@code checktoken}.
 *
 * @param isOff whether a native security provider is not used even if it is there
 */
public record NativeCryptoConfig(boolean isOff) {

    static final String NATIVE_CRYPTO = "native-crypto";

    private static final String AUTO = "auto";
    private static final String OFF = "off";

    /** @throws IllegalArgumentException if the value is neither; the server then does not start */
    public static NativeCryptoConfig of(Config.Scope config) {
        String value = config.get(NATIVE_CRYPTO, AUTO);
        if (!List.of(AUTO, OFF).contains(value)) {
            throw new IllegalArgumentException("The option %s must be %s or %s".formatted(NATIVE_CRYPTO, AUTO, OFF));
        }
        return new NativeCryptoConfig(OFF.equals(value));
    }

    /** The option, as Keycloak lists it. */
    public static List<ProviderConfigProperty> properties() {
        return List.of(new ProviderConfigProperty(
                NATIVE_CRYPTO,
                null,
                "Whether a native security provider beside this JAR verifies tokens, and signs and encrypts the answers.",
                ProviderConfigProperty.LIST_TYPE,
                AUTO,
                AUTO,
                OFF));
    }
}
