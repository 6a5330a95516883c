package io.github.checktoken.support.realm;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A password or PIN as Keycloak stores it. It is hashed here, so that the server need not hash it at the import. */
public final class StoredSecret {

    private static final byte[] SALT = "salt-of-16-bytes".getBytes(StandardCharsets.US_ASCII);
    /** With them, a check takes the server some tenths of a second. */
    private static final int MANY_ITERATIONS = 300_000;

    private static final Map<String, Map<String, String>> SLOW = new ConcurrentHashMap<>();

    private StoredSecret() {}

    public static Map<String, String> credential(String type, String secret) {
        return credential(type, secret, 1);
    }

    /** @return a secret that the server checks slowly. It is hashed here only once, so these should be few. */
    public static Map<String, String> slowCredential(String type, String secret) {
        return slowCredential(type, secret, MANY_ITERATIONS);
    }

    /** @param iterations as for {@link #credential(String, String, int)} */
    public static Map<String, String> slowCredential(String type, String secret, int iterations) {
        return SLOW.computeIfAbsent(
                type + " " + secret + " " + iterations, key -> credential(type, secret, iterations));
    }

    /** @param iterations how often it is hashed; a million take the server about a second */
    public static Map<String, String> credential(String type, String secret, int iterations) {
        try {
            byte[] hash = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), SALT, iterations, 512))
                    .getEncoded();
            Base64.Encoder base64 = Base64.getEncoder();
            return Map.of(
                    "type",
                    type,
                    "credentialData",
                    "{\"hashIterations\":" + iterations + ",\"algorithm\":\"pbkdf2-sha256\"}",
                    "secretData",
                    "{\"value\":\"" + base64.encodeToString(hash) + "\",\"salt\":\"" + base64.encodeToString(SALT)
                            + "\"}");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
