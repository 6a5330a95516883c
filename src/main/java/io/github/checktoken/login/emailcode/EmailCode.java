package io.github.checktoken.login.emailcode;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.stream.Collectors;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.common.util.SecretGenerator;
import org.keycloak.jose.jws.Algorithm;
import org.keycloak.jose.jws.crypto.HMACProvider;

import io.github.checktoken.keycloak.CurrentTime;

/**
 * What a login stores about the code that it has sent: never the code itself, only its HMAC-SHA-256 under a random salt
 * of 128 bits. A slow password hash would add nothing, because all codes of six digits are quickly tried whatever the
 * hash. A code is safe because it is stored in the server's memory, expires after minutes, and allows few guesses. The
 * salt makes equal codes look different, and identifies the code when guesses are counted.
 *
 * <p>It is stored in the authentication session under the id of the execution. So a code of another tab, another
 * browser or another step of the flow is not found. A code that was sent to another address does not count.
 *
 * @param sentAt seconds since the epoch
 * @param salt Base64 url
 * @param hash Base64 url; empty if the code is void; a dash for a decoy
 * @param address where the code was sent; empty if the user has no verified address
 */
record EmailCode(int sentAt, String salt, String hash, String address) {

    private static final int SALT_BYTES = 16;
    private static final String NOTE = "email-code:";
    private static final String VOID = "";
    private static final String DECOY = "-";

    /** @return the digits of a new code */
    static String randomDigits(int length) {
        return SecretGenerator.getInstance().randomString(length, SecretGenerator.DIGITS);
    }

    /**
     * Accepts a code as users type and paste it: with spaces (123 456), with a full stop, in the digits of any script.
     *
     * @return the ASCII digits
     */
    static String digits(String entered) {
        return entered.codePoints()
                .filter(Character::isDigit)
                .map(digit -> Character.digit(digit, 10))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining());
    }

    static EmailCode of(String digits, String address) {
        String salt = newSalt();
        return new EmailCode(CurrentTime.seconds(), salt, hash(digits, salt), address);
    }

    /** Creates a decoy: the record for a page that must not reveal that no code was sent. No digits match it. */
    static EmailCode decoy(String address) {
        return new EmailCode(CurrentTime.seconds(), newSalt(), DECOY, address);
    }

    /** @return the last code that this step of this login sent to this address; null if there is none */
    static EmailCode load(AuthenticationFlowContext context, String address) {
        String note = context.getAuthenticationSession().getAuthNote(noteName(context));
        if (note == null) {
            return null;
        }
        String[] parts = note.split(" ", 4);
        EmailCode code = new EmailCode(Integer.parseInt(parts[0]), parts[1], parts[2], parts[3]);
        return code.address.equals(address) ? code : null;
    }

    void save(AuthenticationFlowContext context) {
        context.getAuthenticationSession()
                .setAuthNote(noteName(context), String.join(" ", Integer.toString(sentAt), salt, hash, address));
    }

    void remove(AuthenticationFlowContext context) {
        context.getAuthenticationSession().removeAuthNote(noteName(context));
    }

    /**
     * Returns a copy that no digits match. It keeps the time of sending, so the user must still wait for the next code.
     */
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
        return CurrentTime.seconds() >= sentAt + lifespan;
    }

    /** @return how many seconds of this wait for the next code are left */
    int secondsToWait(int wait) {
        return Math.max(0, sentAt + wait - CurrentTime.seconds());
    }

    /** Compares in constant time. */
    boolean matches(String digits) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), hash(digits, salt).getBytes(StandardCharsets.US_ASCII));
    }

    private static String noteName(AuthenticationFlowContext context) {
        return NOTE + context.getExecution().getId();
    }

    private static String newSalt() {
        return base64(SecretGenerator.getInstance().randomBytes(SALT_BYTES));
    }

    /** Keycloak has deprecated {@code Algorithm}, but its {@code HMACProvider} takes nothing else. */
    @SuppressWarnings("deprecation")
    private static String hash(String digits, String salt) {
        byte[] key = Base64.getUrlDecoder().decode(salt);
        return base64(HMACProvider.sign(digits.getBytes(StandardCharsets.US_ASCII), Algorithm.HS256, key));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
