package io.github.checktoken.login.gate;

import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The user session that has the id of a root authentication session.
 *
 * @param user id of its user
 * @param started when it started, in seconds since the epoch; Keycloak gives a session that it restarts a new time
 */
record UserSessionReference(
        @JsonProperty("user") String user,
        @JsonProperty("started") int started) {

    /** @return a reference without a user if the user has been deleted */
    static UserSessionReference to(UserSessionModel userSession) {
        UserModel user = userSession.getUser();
        return new UserSessionReference(user == null ? null : user.getId(), userSession.getStarted());
    }
}
