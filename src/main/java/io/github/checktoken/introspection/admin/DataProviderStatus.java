package io.github.checktoken.introspection.admin;

import java.util.List;
import java.util.SortedMap;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The settings and problems of one data provider, as administrators see them.
 *
 * @param clientId its client_id
 * @param enabled whether its client is enabled
 * @param scopes its registered scopes, in alphabetical order
 * @param introspectionSignedResponseAlg JWS {@code alg} of its answers
 * @param introspectionEncryptedResponseAlg JWE {@code alg} of its answers
 * @param introspectionEncryptedResponseEnc JWE {@code enc} of its answers
 * @param key where its encryption key comes from, and whether there is one
 * @param answers how often this node has answered it since the node started: {@code active}, or the error and the
 *     reason of the event
 * @param problems what prevents answers, may soon prevent them, or gives the data provider more than identity data, and
 *     how to correct it, in the administrator's language; empty if there is no problem
 * @param warnings what is weak or missing although the data provider gets answers, in the same form
 */
record DataProviderStatus(
        String clientId,
        boolean enabled,
        List<String> scopes,
        String introspectionSignedResponseAlg,
        String introspectionEncryptedResponseAlg,
        String introspectionEncryptedResponseEnc,
        Key key,
        SortedMap<String, Long> answers,
        List<String> problems,
        List<String> warnings) {

    /** Which kind of JWK Set the client's Keys tab configures. */
    enum Source {
        JWKS_URL,
        JWKS,
        NONE
    }

    /**
     * The state of an encryption key.
     *
     * @param jwksUrl as configured, with the client's root URL before it if it is relative; left out unless the source
     *     is a URL
     * @param usable whether there is a key that answers are encrypted to now
     * @param kid the {@code kid} of that key; left out if it has none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Key(Source source, String jwksUrl, boolean usable, String kid) {}
}
