package io.github.checktoken.demo.pages.exchange;

import java.util.List;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;

/**
 * A data provider of the demo and what it has agreed on with the platform.
 *
 * @param name what the texts about it are called by
 * @param signature the only JWS {@code alg} that it accepts
 * @param encryption the only JWE {@code alg} that it accepts
 * @param content the only JWE {@code enc} that it accepts
 * @param scope what a token needs for its data
 */
public record DataProvider(
        String name, DataProviderClient client, String signature, String encryption, String content, String scope) {

    public static DataProvider tax(Federation federation) {
        return new DataProvider("tax", federation.tax(), "ES256", "RSA-OAEP-256", "A256GCM", "tax_income");
    }

    public static DataProvider health(Federation federation) {
        return new DataProvider("health", federation.health(), "RS256", "ECDH-ES", "A256GCM", "health_rights");
    }

    public static List<DataProvider> all(Federation federation) {
        return List.of(tax(federation), health(federation));
    }
}
