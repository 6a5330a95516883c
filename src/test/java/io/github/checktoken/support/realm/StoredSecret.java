package io.github.checktoken.support.realm;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A password or PIN as Keycloak stores it. It is hashed here, so that the server need not hash it at the import. */
public final class StoredSecret {

    private static final byte[] SALT = "salt-of-16-bytes".getBytes(StandardCharsets.US_ASCII);
    private static final String CREDENTIAL_DATA = "{\"hashIterations\":1,\"algorithm\":\"pbkdf2-sha256\"}";

    private StoredSecret() {}

    public static Map<String, String> credential(String type, String secret) {
        try {
            byte[] hash = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), SALT, 1, 512))
                    .getEncoded();
            Base64.Encoder base64 = Base64.getEncoder();
            return Map.of(
                    "type",
                    type,
                    "credentialData",
                    CREDENTIAL_DATA,
                    "secretData",
                    "{\"value\":\"" + base64.encodeToString(hash) + "\",\"salt\":\"" + base64.encodeToString(SALT)
                            + "\"}");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
