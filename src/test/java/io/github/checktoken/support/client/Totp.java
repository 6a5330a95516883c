package io.github.checktoken.support.client;

import java.util.Map;

import org.keycloak.models.utils.TimeBasedOTP;

/**
 * A person's authenticator application: RFC 6238 with SHA-1, six digits and thirty seconds, which are Keycloak's
 * defaults.
 */
public final class Totp {

    /** The policy of a realm, as JSON: a person may use a code twice. Keycloak reads this only if the policy is whole. */
    public static final Map<String, Object> POLICY = Map.of(
            "otpPolicyType", "totp",
            "otpPolicyAlgorithm", "HmacSHA1",
            "otpPolicyInitialCounter", 0,
            "otpPolicyDigits", 6,
            "otpPolicyLookAheadWindow", 1,
            "otpPolicyPeriod", 30,
            "otpPolicyCodeReusable", true);

    private static final String SECRET = "a-secret-of-20-chars";

    private Totp() {}

    /** @return the credential for a new user */
    public static Map<String, String> credential() {
        return credential(SECRET);
    }

    /** @return the credential with the person's own secret */
    public static Map<String, String> credential(String secret) {
        return Map.of(
                "type", "otp",
                "secretData", "{\"value\":\"" + secret + "\"}",
                "credentialData",
                        "{\"subType\":\"totp\",\"digits\":6,\"counter\":0,\"period\":30,\"algorithm\":\"HmacSHA1\"}");
    }

    /** @return the code that the application shows now */
    public static String code() {
        return code(SECRET);
    }

    public static String code(String secret) {
        return new TimeBasedOTP().generateTOTP(secret);
    }
}
