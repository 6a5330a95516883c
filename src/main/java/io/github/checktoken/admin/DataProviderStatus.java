package io.github.checktoken.admin;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One data provider, as an administrator sees it.
 *
 * @param scopes its registered scopes, in alphabetical order
 * @param introspectionSignedResponseAlg JWS {@code alg} of its answers
 * @param introspectionEncryptedResponseAlg JWE {@code alg} of its answers
 * @param introspectionEncryptedResponseEnc JWE {@code enc} of its answers
 * @param key where its encryption key comes from, and whether one is there
 * @param problems what keeps it from getting answers, or soon may, each with what to do; empty when all is well
 */
record DataProviderStatus(
        String clientId,
        boolean enabled,
        List<String> scopes,
        String introspectionSignedResponseAlg,
        String introspectionEncryptedResponseAlg,
        String introspectionEncryptedResponseEnc,
        Key key,
        List<String> problems) {

    /** What the Keys tab of a client says. */
    enum Source {
        JWKS_URL,
        JWKS,
        NONE
    }

    /**
     * @param jwksUrl absolute; left out unless the source is an address
     * @param usable whether answers are encrypted now
     * @param kid of the key that they are encrypted to; left out where it has none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Key(Source source, String jwksUrl, boolean usable, String kid) {}
}
