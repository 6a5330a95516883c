package io.github.checktoken.login.evidence;

import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The record of what the user of an authentication session has proved so far.
 *
 * @param user id of the user; null if the authentication session had none
 * @param credentials how many entries of Keycloak's list of used credentials have been evaluated
 * @param executions ids of the executions that had succeeded
 * @param methods what this user has proved in this login
 * @param registered whether this user has registered in this login
 */
record LoginEvidenceNote(
        @JsonProperty("user") String user,
        @JsonProperty("credentials") int credentials,
        @JsonProperty("executions") Set<String> executions,
        @JsonProperty("methods") AuthenticationMethods methods,
        @JsonProperty("registered") boolean registered) {

    static final LoginEvidenceNote EMPTY = new LoginEvidenceNote(null, 0, Set.of(), AuthenticationMethods.NONE, false);
}
