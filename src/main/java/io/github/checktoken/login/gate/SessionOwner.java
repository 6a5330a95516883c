package io.github.checktoken.login.gate;

import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * The last user of an authentication session, whom a note names. If the user is only removed, the owner stays, because
 * Keycloak's forms remove and set the same user again.
 */
record SessionOwner(AuthenticationSessionModel authSession, RequestWrites writes) {

    static final String NOTE = "checktoken.owner";

    /**
     * A node with an earlier version of this project notes no owner: then the stored user is the owner.
     *
     * @return null if there was no user yet
     */
    String id() {
        String noted = authSession.getAuthNote(NOTE);
        UserModel user = noted == null ? authSession.getAuthenticatedUser() : null;
        return user == null ? noted : user.getId();
    }

    /** @param before the owner before; null if there was none */
    void set(UserModel user, String before) {
        writes.ownerSet(before);
        authSession.setAuthNote(NOTE, user.getId());
    }

    /**
     * The form that links an account sets the existing user, removes it, and then sets the user whom the form names. A
     * user who was set and removed without anything written in between has left nothing, so the owner before counts.
     */
    void removeUser() {
        if (writes.isNothingWrittenForOwner()) {
            authSession.setAuthNote(NOTE, writes.ownerBefore());
        } else if (authSession.getAuthenticatedUser() != null) {
            authSession.setAuthNote(NOTE, id());
        }
        authSession.setAuthenticatedUser(null);
        writes.userRemoved();
    }
}
