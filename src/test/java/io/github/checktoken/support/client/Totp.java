package io.github.checktoken.support.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A person's authenticator application: RFC 6238 with SHA-1, six digits and thirty seconds. */
public final class Totp {

    private static final String SECRET = "a-secret-of-20-chars";

    private Totp() {}

    /** The credential of a new user. */
    public static Map<String, String> credential() {
        return credential(SECRET);
    }

    /** The same with a secret of the person's own. */
    public static Map<String, String> credential(String secret) {
        return Map.of(
                "type", "otp",
                "secretData", "{\"value\":\"" + secret + "\"}",
                "credentialData",
                        "{\"subType\":\"totp\",\"digits\":6,\"counter\":0,\"period\":30,\"algorithm\":\"HmacSHA1\"}");
    }

    /** What the application shows now. */
    public static String code() {
        return code(SECRET);
    }

    public static String code(String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
            byte[] hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES)
                    .putLong(System.currentTimeMillis() / 1000 / 30)
                    .array());
            int number = ByteBuffer.wrap(hash).getInt(hash[hash.length - 1] & 0xf) & Integer.MAX_VALUE;
            return String.format("%06d", number % 1_000_000);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
