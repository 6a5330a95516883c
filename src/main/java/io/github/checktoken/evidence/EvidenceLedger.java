package io.github.checktoken.evidence;

import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.method.AuthenticationMethods;

/**
 * What has been taken down of an authentication session.
 *
 * @param user id of the user it is of; null where none is known
 * @param credentials how many entries of Keycloak's list of credentials were seen
 * @param executions ids of the executions that had succeeded
 * @param methods what this user has proved with them
 * @param registered whether the user has registered in this login
 */
record EvidenceLedger(
        @JsonProperty("user") String user,
        @JsonProperty("credentials") int credentials,
        @JsonProperty("executions") Set<String> executions,
        @JsonProperty("methods") AuthenticationMethods methods,
        @JsonProperty("registered") boolean registered) {

    static final EvidenceLedger EMPTY = new EvidenceLedger(null, 0, Set.of(), AuthenticationMethods.NONE, false);
}
