package io.github.checktoken.emailcode;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.common.util.SecretGenerator;
import org.keycloak.common.util.Time;
import org.keycloak.jose.jws.Algorithm;
import org.keycloak.jose.jws.crypto.HMACProvider;

/**
 * What a login remembers of the code that it sent: never the code, only its HMAC-SHA-256 under a random salt of 128
 * bits. A slow password hash would add nothing: six digits are tried through at once whatever the hash, so a code is
 * safe because it lives in the server's memory, for minutes, and bears few guesses. The salt keeps equal codes from
 * looking equal, and names the code.
 *
 * <p>It lies in the authentication session under the id of the execution: a code of another tab, another browser or
 * another step of the flow is not found, and one for another address does not count.
 *
 * @param sentAt seconds since the epoch
 * @param salt Base64 url
 * @param hash Base64 url; empty once the code is void; a dash for a decoy
 * @param address where it went; empty if nowhere
 */
record EmailCode(int sentAt, String salt, String hash, String address) {

    private static final int SALT_BYTES = 16;
    private static final String NOTE = "email-code:";
    private static final String VOID = "";
    private static final String DECOY = "-";

    /** Digits of a new code. */
    static String random(int length) {
        return SecretGenerator.getInstance().randomString(length, SecretGenerator.DIGITS);
    }

    static EmailCode of(String digits, String address) {
        String salt = newSalt();
        return new EmailCode(Time.currentTime(), salt, hash(digits, salt), address);
    }

    /** What is remembered where nothing was sent and nobody may notice: no digits match it. */
    static EmailCode decoy(String address) {
        return new EmailCode(Time.currentTime(), newSalt(), DECOY, address);
    }

    /** @return what this step of this login last sent to this address; null if nothing */
    static EmailCode load(AuthenticationFlowContext context, String address) {
        String note = context.getAuthenticationSession().getAuthNote(note(context));
        if (note == null) {
            return null;
        }
        String[] parts = note.split(" ", 4);
        EmailCode code = new EmailCode(Integer.parseInt(parts[0]), parts[1], parts[2], parts[3]);
        return code.address.equals(address) ? code : null;
    }

    void save(AuthenticationFlowContext context) {
        context.getAuthenticationSession()
                .setAuthNote(note(context), String.join(" ", Integer.toString(sentAt), salt, hash, address));
    }

    void forget(AuthenticationFlowContext context) {
        context.getAuthenticationSession().removeAuthNote(note(context));
    }

    /** The same without the code, so that the wait for a new one still counts. */
    EmailCode voided() {
        return new EmailCode(sentAt, salt, VOID, address);
    }

    boolean isDecoy() {
        return hash.equals(DECOY);
    }

    boolean isVoid() {
        return hash.equals(VOID);
    }

    /** @param lifespan seconds */
    boolean isExpired(int lifespan) {
        return Time.currentTime() >= sentAt + lifespan;
    }

    /** Compares in constant time. */
    boolean matches(String digits) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), hash(digits, salt).getBytes(StandardCharsets.US_ASCII));
    }

    private static String note(AuthenticationFlowContext context) {
        return NOTE + context.getExecution().getId();
    }

    private static String newSalt() {
        return base64(SecretGenerator.getInstance().randomBytes(SALT_BYTES));
    }

    private static String hash(String digits, String salt) {
        byte[] key = Base64.getUrlDecoder().decode(salt);
        return base64(HMACProvider.sign(digits.getBytes(StandardCharsets.US_ASCII), Algorithm.HS256, key));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
