package io.github.checktoken.client;

import java.util.Locale;

/** Why there is no answer, or why it may not be used, and what to do about it. The ids are those of the test kit. */
public enum Reason {
    UNREACHABLE("The platform cannot be reached. Try again later; if it lasts, check the address and the network."),
    TIMEOUT("The whole answer was not there in time. Try again later."),
    UNAVAILABLE("The platform cannot answer now. Try again after a while; if it lasts, ask its administrator."),
    REDIRECT("The platform answered with a redirect, which is not followed. Correct the issuer's address."),
    INVALID_REQUEST("The platform could not read the call. Check the token's length and the client's settings."),
    WRONG_CREDENTIALS("The platform did not accept this client's credentials. Stop, and ask its administrator."),
    NOT_A_DATA_PROVIDER("This client may not ask. Ask the administrator to register it as a data provider."),
    PLATFORM_ERROR("The platform answered with an unexpected status. Tell its administrator."),
    WRONG_METADATA("Metadata or keys cannot be used, or are another issuer's. Compare the issuer's address."),
    WRONG_CONTENT_TYPE("The answer has another content type. Check that no proxy answers in the platform's place."),
    TOO_LARGE("The answer is too large. Check that no proxy answers in the platform's place."),
    MALFORMED("The answer cannot be read. Check that no proxy changes it."),
    NOT_ENCRYPTED("The answer is not encrypted. Do not use it, and tell the administrator."),
    WRONG_KEY_ENCRYPTION("The answer is encrypted with another alg. Agree on it with the administrator."),
    WRONG_CONTENT_ENCRYPTION("The answer is encrypted with another enc. Agree on it with the administrator."),
    COMPRESSED("The answer is compressed. Do not use it, and tell the administrator."),
    CRITICAL_HEADER("The answer has a critical header. Do not use it, and tell the administrator."),
    UNKNOWN_DECRYPTION_KEY(
            "The answer is for a key that is not here. Add the private key that fits the published one."),
    DECRYPTION_FAILED("The answer cannot be decrypted. Compare the private key with the published one."),
    NOT_SIGNED("The answer is not signed, so anybody can have made it. Tell the administrator."),
    UNSECURED("The answer has alg none, so anybody can have made it. Tell the administrator."),
    WRONG_SIGNATURE_ALGORITHM("The answer is signed with another alg. Agree on it with the administrator."),
    KEY_IN_HEADER("The answer brings its own key, so anybody can have made it. Tell the administrator."),
    WRONG_TYPE("This is a JWT of another type. Do not use it, and tell the administrator."),
    UNKNOWN_KEY("The platform does not publish the key of this answer. Try again later; if it lasts, tell it."),
    WRONG_SIGNATURE("The signature is wrong, so anybody can have made the answer. Tell the administrator."),
    WRONG_ISSUER("The answer is from another issuer. Compare the issuer's address with the administrator."),
    WRONG_AUDIENCE("The answer is for another data provider. Compare the client_id with the administrator."),
    MISSING_IAT("The answer does not say when it was made. Tell the administrator."),
    ISSUED_IN_THE_FUTURE("The answer is from the future. Compare the clocks."),
    ISSUED_TOO_LONG_AGO("The answer is too old. Compare the clocks; if they are right, somebody replays answers."),
    ANSWER_EXPIRED("The answer has expired. Compare the clocks."),
    ANSWER_NOT_YET_VALID("The answer is not valid yet. Compare the clocks."),
    MISSING_INTROSPECTION("The answer says nothing about the token. Tell the administrator."),
    MALFORMED_INTROSPECTION("A member of token_introspection has a wrong form. Tell the administrator."),
    MALFORMED_ACTIVE("The answer does not say whether the token is active. Tell the administrator."),
    TOKEN_EXPIRED("The answer calls a token active that has expired. Compare the clocks."),
    OTHER_TOKEN("The answer is about another token. Check that no proxy keeps answers."),
    // From here on, the platform's answer was right, and says that the service provider's request cannot be met.
    INACTIVE("The token is not active. Answer 401 with invalid_token."),
    NOT_A_PERSON("The token belongs to a machine. Answer 401 with invalid_token."),
    BINDING_NOT_CHECKED(
            "The token is bound to a key. Call requireDpop or requireCertificate, and use what it returns."),
    WRONG_BINDING("The token is not bound to this key. Answer 401 with invalid_token."),
    MISSING_SCOPE("The token lacks the scope. Answer 403 with insufficient_scope.");

    private final String advice;

    Reason(String advice) {
        this.advice = advice;
    }

    /** @return the id, for example {@code wrong-issuer} */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @return what to answer the service provider: 401 or 403, or 503 if the token could not be checked */
    public int status() {
        return compareTo(INACTIVE) < 0 ? 503 : this == MISSING_SCOPE ? 403 : 401;
    }

    String advice() {
        return advice;
    }

    void unless(boolean condition) {
        if (!condition) {
            throw new CheckTokenException(this);
        }
    }
}
