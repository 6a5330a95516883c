package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.models.Constants;
import org.keycloak.models.UserModel;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * An authentication session in which nothing of a former user remains.
 *
 * <p>Keycloak may replace or remove the user of an authentication session in the middle of a login. A note in the
 * session names its last user, the <em>owner</em>. If another user is set, everything that says what the owner has done
 * is dropped ({@link FormerUserState}). If the user is only removed, nothing is dropped, because Keycloak's forms remove
 * and set the same user again; the owner stays noted.
 *
 * <p>The second note is the <em>epoch</em>. It changes whenever a flow is reset or the owner changes. A request that
 * finds another epoch than the one that it began with must not write, because it has checked something for a login that
 * is no longer there.
 */
final class PersonBoundAuthenticationSession extends ForwardingAuthenticationSession {

    static final String OWNER = "checktoken.owner";
    static final String EPOCH = "checktoken.epoch";

    private final LoginGate gate;
    private final RequestWrites writes;

    PersonBoundAuthenticationSession(
            AuthenticationSessionModel delegate,
            PersonBoundRootAuthenticationSession parent,
            LoginGate gate,
            RequestWrites writes) {
        super(delegate, parent);
        this.gate = gate;
        this.writes = writes;
    }

    @Override
    public void setAuthenticatedUser(UserModel user) {
        requireSameEpoch();
        if (user == null) {
            removeUser();
            return;
        }
        String owner = owner();
        if (owner != null && !owner.equals(user.getId())) {
            FormerUserState.drop(delegate, writes);
            beginEpoch();
        }
        delegate.setAuthenticatedUser(user);
        if (!user.getId().equals(owner)) {
            writes.ownerSet(owner);
            delegate.setAuthNote(OWNER, user.getId());
        }
    }

    /**
     * The form that links an account sets the existing user, removes it, and then sets the user whom the form names. A
     * user who was set and removed without anything written in between has left nothing, so the owner before counts.
     */
    private void removeUser() {
        if (writes.isNothingWrittenForOwner()) {
            delegate.setAuthNote(OWNER, writes.ownerBefore());
        } else if (delegate.getAuthenticatedUser() != null) {
            delegate.setAuthNote(OWNER, owner());
        }
        delegate.setAuthenticatedUser(null);
        writes.userRemoved();
    }

    /**
     * An identity whose first login has begun belongs to somebody who is not known yet. Once the browser has left the pages
     * of the first login for the login page, whoever signs in there has not been asked about it.
     */
    void leaveFirstBrokerLogin() {
        if (delegate.getAuthNote(AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE) != null
                && (gate.isOnPage(LoginActionsService.AUTHENTICATE_PATH)
                        || gate.isOnPage(LoginActionsService.REGISTRATION_PATH))) {
            List.of(
                            AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE,
                            AbstractIdpAuthenticator.NESTED_FIRST_BROKER_CONTEXT,
                            AbstractIdpAuthenticator.EXISTING_USER_INFO,
                            AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS)
                    .forEach(this::removeAuthNote);
        }
    }

    /** A node with an earlier version of this project notes no owner: then the stored user is the owner. */
    private String owner() {
        String noted = delegate.getAuthNote(OWNER);
        UserModel user = noted == null ? delegate.getAuthenticatedUser() : null;
        return user == null ? noted : user.getId();
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        requireSameEpoch();
        writes.executionStatus(execution, status);
        super.setExecutionStatus(execution, status);
    }

    @Override
    public void clearExecutionStatus() {
        writes.clearExecutionStatus();
        super.clearExecutionStatus();
    }

    @Override
    public void addRequiredAction(String action) {
        requireSameEpoch();
        writes.requiredAction(action);
        super.addRequiredAction(action);
    }

    @Override
    public void setUserSessionNote(String name, String value) {
        requireSameEpoch();
        writes.userSessionNote(name, value);
        super.setUserSessionNote(name, value);
    }

    @Override
    public void clearUserSessionNotes() {
        writes.clearUserSessionNotes();
        super.clearUserSessionNotes();
    }

    /** A level that a client policy promises for the login page counts on that page only. */
    @Override
    public String getAuthNote(String name) {
        return Constants.AUTHENTICATION_FLOW_LEVEL_OF_AUTHENTICATION.equals(name) && isOnAnotherPage()
                ? null
                : super.getAuthNote(name);
    }

    private boolean isOnAnotherPage() {
        return gate.isOnLoginActions() && !gate.isOnPage(LoginActionsService.AUTHENTICATE_PATH);
    }

    @Override
    public void setAuthNote(String name, String value) {
        requireSameEpoch();
        if (Constants.LOA_MAP.equals(name) && gate.isLevelOfAnotherUser(this, value)) {
            return;
        }
        if (AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS.equals(name)) {
            gate.requireProofToLink(this);
        }
        writes.authNote(name, value);
        super.setAuthNote(name, value);
    }

    @Override
    public void removeAuthNote(String name) {
        writes.authNote(name, null);
        super.removeAuthNote(name);
    }

    @Override
    public void setClientNote(String name, String value) {
        writes.clientNote(name);
        super.setClientNote(name, value);
    }

    /** Keycloak clears the notes when it resets a flow, together with all else that belongs to the owner. */
    @Override
    public void clearAuthNotes() {
        writes.clearAuthNotes();
        SessionIdBinding.clearAuthNotes(delegate);
        FormerUserState.dropClientNotesAtReset(delegate, writes);
        beginEpoch();
    }

    /** Keycloak calls this when a flow has passed, before it shows a required action or ends the login. */
    @Override
    public void setClientScopes(Set<String> clientScopes) {
        gate.requireProof(this);
        super.setClientScopes(clientScopes);
    }

    @Override
    public void setAction(String action) {
        if (Action.REQUIRED_ACTIONS.name().equals(action)
                || Action.OAUTH_GRANT.name().equals(action)) {
            requireSameEpoch();
            gate.requireProof(this);
        }
        super.setAction(action);
    }

    private void beginEpoch() {
        String epoch = writes.newEpoch();
        delegate.setAuthNote(EPOCH, epoch);
    }

    private void requireSameEpoch() {
        if (gate.isOverdue() || !Objects.equals(writes.epoch(), delegate.getAuthNote(EPOCH))) {
            throw gate.busy();
        }
    }
}
