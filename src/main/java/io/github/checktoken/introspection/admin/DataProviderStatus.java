package io.github.checktoken.introspection.admin;

import java.util.List;
import java.util.SortedMap;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The settings and problems of one data provider, as administrators see them.
 *
 * @param clientId its client_id
 * @param name its name for people; left out if it has none
 * @param enabled whether its client is enabled
 * @param scopes its registered scopes, in alphabetical order
 * @param introspectionSignedResponseAlg JWS {@code alg} of its answers
 * @param introspectionEncryptedResponseAlg JWE {@code alg} of its answers
 * @param introspectionEncryptedResponseEnc JWE {@code enc} of its answers
 * @param identityRequiresScope whether a token without any of its scopes tells it nothing about the person
 * @param authTimeDisclosed whether its answers say when the person signed in
 * @param key where its encryption key comes from, and whether there is one
 * @param lastAnswer when this node answered it last, in ISO 8601; left out if it has not since the node started
 * @param answers how often this node has answered it since the node started: {@code active}, or the error and the
 *     reason of the event
 * @param lastHour the same in the last hour: for each period of five minutes how often, the current one last
 * @param problemNames the names of its problems and warnings, for the parameter {@code problem}
 * @param problems what prevents answers or may soon prevent them, what the data provider gets although it should not, what
 *     it does not get, and how to correct it, in the administrator's language; empty if there is no problem
 * @param warnings what is weak or missing although the data provider gets answers, in the same form
 */
record DataProviderStatus(
        String clientId,
        @JsonInclude(JsonInclude.Include.NON_NULL) String name,
        boolean enabled,
        List<String> scopes,
        String introspectionSignedResponseAlg,
        String introspectionEncryptedResponseAlg,
        String introspectionEncryptedResponseEnc,
        boolean identityRequiresScope,
        boolean authTimeDisclosed,
        Key key,
        @JsonInclude(JsonInclude.Include.NON_NULL) String lastAnswer,
        SortedMap<String, Long> answers,
        SortedMap<String, List<Integer>> lastHour,
        List<String> problemNames,
        List<String> problems,
        List<String> warnings) {

    /** Which kind of JWK Set the client's Keys tab configures. */
    enum Source {
        JWKS_URL,
        JWKS,
        NONE
    }

    /**
     * The state of an encryption key on this node. Times are in ISO 8601, and left out if there is none.
     *
     * @param jwksUrl as configured, with the client's root URL before it if it is relative; left out unless the source
     *     is a URL
     * @param usable whether there is a key that answers are encrypted to now
     * @param kid the {@code kid} of that key; left out if it has none
     * @param issued when the data provider made that key, if its JWK says so
     * @param knownSince when this node loaded that key for the first time since it started or the client was saved
     * @param lastFetch when this node loaded the set last
     * @param lastFetchError why that gave no key, in English; left out if it gave one
     * @param nextFetch from when the next call, or this view, loads the set again; left out unless the source is a URL
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Key(
            Source source,
            String jwksUrl,
            boolean usable,
            String kid,
            String issued,
            String knownSince,
            String lastFetch,
            String lastFetchError,
            String nextFetch) {

        static final Key NONE = new Key(Source.NONE, null, false, null, null, null, null, null, null);
    }

    /** @param problem one of {@link ProblemName} */
    boolean has(String problem) {
        return ProblemName.ANY.equals(problem) ? !problemNames.isEmpty() : problemNames.contains(problem);
    }
}
