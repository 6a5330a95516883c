package io.github.checktoken.client;

import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.ResourceBundle;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.util.JSONObjectUtils;

/** The token may not be used, or could not be checked. The message has no token, secret or identity in it. */
public final class CheckTokenException extends RuntimeException {

    private static final ResourceBundle REASONS = ResourceBundle.getBundle("io.github.checktoken.client.reasons");

    private final String reason;

    /** @param detail what to add to the reason's text, or empty */
    CheckTokenException(String reason, String detail) {
        super(reason + ": " + REASONS.getString(reason).substring(4) + detail);
        this.reason = reason;
    }

    /** @param name a reason, or what stands for one */
    private static CheckTokenException of(String name, String detail) {
        String line = REASONS.getString(name);
        String reason = line.matches("\\d.*") ? name : line.split(" ")[0];
        return new CheckTokenException(reason, (reason.equals(name) ? "" : line.substring(reason.length())) + detail);
    }

    static void unless(boolean condition, String name) {
        if (!condition) {
            throw of(name, "");
        }
    }

    static void unlessOk(int status, String body) {
        if (status != 200) {
            String name = "status-" + status;
            throw of(REASONS.containsKey(name) ? name : "platform-error", " (" + name + described(body) + ")");
        }
    }

    /** @return what the platform says about its error, as it may be logged (RFC 6749 section 5.2) */
    private static String described(String body) {
        try {
            String text = JSONObjectUtils.getString(JSONObjectUtils.parse(body), "error_description");
            String shown = text == null ? "" : text.replaceAll("[^ !#-\\[\\]-~]", "?");
            return shown.isEmpty() ? "" : ": " + shown.substring(0, Math.min(shown.length(), 200));
        } catch (ParseException | RuntimeException e) {
            return "";
        }
    }

    /**
     * The exception of a library could quote a key or an answer, so it is not kept as the cause. For some members that
     * are null, Nimbus throws a NullPointerException.
     *
     * @return what the action gives, which is never null
     */
    static <T> T attempt(String name, Action<T> action) {
        try {
            T result = action.run();
            unless(result != null, name);
            return result;
        } catch (CheckTokenException e) {
            throw e;
        } catch (CloneNotSupportedException
                | GeneralSecurityException
                | JOSEException
                | ParseException
                | RuntimeException e) {
            throw of(name, "");
        }
    }

    interface Action<T> {

        T run() throws CloneNotSupportedException, GeneralSecurityException, JOSEException, ParseException;
    }

    /** @return a word that stays the same, for example {@code wrong-issuer}. The test kit lists them */
    public String reason() {
        return reason;
    }

    /** @return what to answer the service provider: 401 or 403, or 503 if the token could not be checked */
    public int status() {
        return Integer.parseInt(REASONS.getString(reason).substring(0, 3));
    }
}
