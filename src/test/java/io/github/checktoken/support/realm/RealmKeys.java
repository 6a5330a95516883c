package io.github.checktoken.support.realm;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.server.LogSearch;

/** Adds signature keys to a realm, until it is closed. */
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

    /** @param priority the active key with the highest priority signs */
    public void add(String algorithm, int priority) {
        switch (algorithm) {
            case "ES256" -> add("ecdsa-generated", Map.of("ecdsaEllipticCurveKey", "P-256"), priority);
            case "ES384" -> add("ecdsa-generated", Map.of("ecdsaEllipticCurveKey", "P-384"), priority);
            case "ES512" -> add("ecdsa-generated", Map.of("ecdsaEllipticCurveKey", "P-521"), priority);
            case "EdDSA" -> add("eddsa-generated", Map.of("eddsaEllipticCurveKey", "Ed25519"), priority);
            default -> addKnown(algorithm, priority);
        }
    }

    /**
     * Adds an RS256 key whose private key the test knows, so that it can make tokens that the realm accepts as its own.
     *
     * @return the key, with the {@code kid} that the realm gave it
     */
    public RSAKey addKnown(int priority) {
        return addKnown("RS256", priority);
    }

    /** The JVM of the tests makes the key, because that of Keycloak, which compiles code quickly, takes seconds. */
    private RSAKey addKnown(String algorithm, int priority) {
        try {
            RSAKey key = new RSAKeyGenerator(2048).generate();
            String component = add("rsa", Map.of("privateKey", pem(key), "algorithm", algorithm), priority);
            return new RSAKey.Builder(key).keyID(kid(component)).build();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(RSAKey key) throws JOSEException {
        String encoded =
                Base64.getMimeEncoder().encodeToString(key.toPrivateKey().getEncoded());
        String pem = "-----BEGIN PRIVATE KEY-----\n" + encoded + "\n-----END PRIVATE KEY-----";
        LogSearch.add("private key", pem);
        return pem;
    }

    private String kid(String component) {
        for (JsonNode key : admin.get("/keys").get("keys")) {
            if (key.get("providerId").asText().equals(component)) {
                return key.get("kid").asText();
            }
        }
        throw new AssertionError("The realm does not have the key");
    }

    private String add(String provider, Map<String, String> settings, int priority) {
        Map<String, List<String>> config = new HashMap<>(Map.of("priority", List.of("" + priority)));
        settings.forEach((name, value) -> config.put(name, List.of(value)));
        String component = admin.create(
                "/components",
                Map.of(
                        "name",
                        "test-" + provider,
                        "providerId",
                        provider,
                        "providerType",
                        "org.keycloak.keys.KeyProvider",
                        "config",
                        config));
        components.add(component);
        return component;
    }

    /** Deletes the oldest of the added keys, until at most this number is left. */
    public void keepNewest(int number) {
        while (components.size() > number) {
            admin.delete("/components/" + components.remove(0));
        }
    }

    @Override
    public void close() {
        keepNewest(0);
    }
}
