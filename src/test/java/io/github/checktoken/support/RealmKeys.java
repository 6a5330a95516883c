package io.github.checktoken.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Further signature keys of a realm, until it is closed. */
public final class RealmKeys implements AutoCloseable {

    private final AdminApi admin;
    private final List<String> components = new ArrayList<>();

    public RealmKeys(AdminApi admin) {
        this.admin = admin;
    }

    /** @param algorithm JWS {@code alg} */
    public void add(String algorithm) {
        add(algorithm, 1);
    }

    /** @param priority the active key with the highest signs */
    public void add(String algorithm, int priority) {
        switch (algorithm) {
            case "ES256" -> add("ecdsa-generated", "ecdsaEllipticCurveKey", "P-256", priority);
            case "ES384" -> add("ecdsa-generated", "ecdsaEllipticCurveKey", "P-384", priority);
            case "ES512" -> add("ecdsa-generated", "ecdsaEllipticCurveKey", "P-521", priority);
            case "EdDSA" -> add("eddsa-generated", "eddsaEllipticCurveKey", "Ed25519", priority);
            default -> add("rsa-generated", "algorithm", algorithm, priority);
        }
    }

    private void add(String provider, String setting, String value, int priority) {
        components.add(admin.create(
                "/components",
                Map.of(
                        "name",
                        "test-" + value,
                        "providerId",
                        provider,
                        "providerType",
                        "org.keycloak.keys.KeyProvider",
                        "config",
                        Map.of("priority", List.of("" + priority), setting, List.of(value)))));
    }

    @Override
    public void close() {
        components.forEach(component -> admin.delete("/components/" + component));
    }
}
