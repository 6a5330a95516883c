package io.github.checktoken.support.realm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.Keytool;
import io.github.checktoken.support.server.LogSearch;

/**
 * An RSA key that a test gives to the realms that it creates. Otherwise Keycloak generates two keys for each new realm,
 * which costs the server seconds.
 */
public enum GivenKey {
    REALM,

    /** For realms of identity providers, because no realm may accept what another one signed. */
    IDENTITY_PROVIDER;

    private final String privateKey;
    private final String certificate;

    GivenKey() {
        try {
            Path folder = Files.createTempDirectory("given-key");
            Path file = folder.resolve("keys.p12");
            new Keytool(file).generate("rsa", "CN=" + name(), "RSA");
            KeyStore keys = KeyStore.getInstance(file.toFile(), Keytool.PASSWORD.toCharArray());
            privateKey =
                    base64(keys.getKey("rsa", Keytool.PASSWORD.toCharArray()).getEncoded());
            certificate = base64(keys.getCertificate("rsa").getEncoded());
            Files.delete(file);
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        LogSearch.add("private key", privateKey);
    }

    /**
     * Adds the key to a realm's JSON, for its signatures (RS256, unless the JSON names another algorithm) and for what is
     * encrypted to it.
     */
    public ObjectNode addTo(Object realm) {
        ObjectNode withKeys = Http.JSON.valueToTree(realm);
        ArrayNode providers = withKeys.withObject("/components").withArray("/org.keycloak.keys.KeyProvider");
        for (String id : List.of("rsa-generated", "rsa-enc-generated")) {
            ObjectNode config = provider(providers, id).withObject("/config");
            config.putArray("privateKey").add(privateKey);
            config.putArray("certificate").add(certificate);
        }
        return withKeys;
    }

    private static ObjectNode provider(ArrayNode providers, String id) {
        return StreamSupport.stream(providers.spliterator(), false)
                .filter(provider -> provider.path("providerId").asText().equals(id))
                .findFirst()
                .map(ObjectNode.class::cast)
                .orElseGet(() -> providers.addObject().put("name", id).put("providerId", id));
    }

    private static String base64(byte[] encoded) {
        return Base64.getEncoder().encodeToString(encoded);
    }
}
