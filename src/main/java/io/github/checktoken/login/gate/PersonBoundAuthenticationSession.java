package io.github.checktoken.login.gate;

import java.util.Set;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.grants.device.DeviceGrantType;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * An authentication session in which nothing of a former user remains, and in which a login goes on only through the
 * {@linkplain LoginGate gate}.
 *
 * <p>Keycloak may replace or remove the user of an authentication session in the middle of a login. A note in the
 * session names its last user, the <em>owner</em>. If another user is set, everything that says what the owner has done
 * is dropped ({@link FormerUserState}). If the user is only removed, nothing is dropped, because Keycloak's forms remove
 * and set the same user again; the owner stays noted.
 */
final class PersonBoundAuthenticationSession extends EpochBoundAuthenticationSession {

    static final String OWNER = "checktoken.owner";

    private final LoginGate gate;
    private final LevelNotes levels;
    private final UnfinishedBrokerLogin brokerLogin;

    PersonBoundAuthenticationSession(
            AuthenticationSessionModel delegate,
            PersonBoundRootAuthenticationSession parent,
            RequestLock lock,
            RequestWrites writes,
            LoginGate gate,
            LevelNotes levels,
            UnfinishedBrokerLogin brokerLogin) {
        super(delegate, parent, lock, writes);
        this.gate = gate;
        this.levels = levels;
        this.brokerLogin = brokerLogin;
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
        boolean isSet = delegate.getAuthenticatedUser() != null;
        delegate.setAuthenticatedUser(user);
        if (brokerLogin.isCallback()) {
            writes.userSessionNotes().forEach(delegate::setUserSessionNote);
        }
        if (!user.getId().equals(owner)) {
            writes.ownerSet(owner);
            delegate.setAuthNote(OWNER, user.getId());
            LoginTime.begin(delegate);
        } else if (isSet) {
            beginTimeAtFirstProof();
        }
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        requireSameEpoch();
        if (status == ExecutionStatus.SUCCESS && delegate.getAuthenticatedUser() != null) {
            beginTimeAtFirstProof();
        }
        super.setExecutionStatus(execution, status);
    }

    /** Who has typed the name may look for the password for as long as Keycloak allows. */
    private void beginTimeAtFirstProof() {
        if (!gate.hadProof(this)) {
            LoginTime.begin(delegate);
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

    /** A node with an earlier version of this project notes no owner: then the stored user is the owner. */
    private String owner() {
        String noted = delegate.getAuthNote(OWNER);
        UserModel user = noted == null ? delegate.getAuthenticatedUser() : null;
        return user == null ? noted : user.getId();
    }

    @Override
    public String getAuthNote(String name) {
        return levels.isOfAnotherPage(name) ? null : ClientDemands.note(delegate, name);
    }

    @Override
    public void setAuthNote(String name, String value) {
        requireSameEpoch();
        if (levels.isOfAnotherUser(this, name, value) || brokerLogin.isAgreementToAnother(this, name)) {
            return;
        }
        brokerLogin.endIfLoginPageFollows(this, name);
        if (AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS.equals(name)) {
            gate.requireProofToLink(this);
        }
        super.setAuthNote(name, value);
        ClientDemands.keep(delegate, name, value);
    }

    /**
     * Keycloak's callback of a provider writes what the provider's mappers say of the session before it knows whether it
     * signs somebody in. So this waits until it sets the user.
     */
    @Override
    public void setUserSessionNote(String name, String value) {
        if (brokerLogin.isCallback() && delegate.getAuthenticatedUser() == null) {
            requireSameEpoch();
            writes.userSessionNote(name, value);
        } else {
            super.setUserSessionNote(name, value);
        }
    }

    /** Keycloak removes the note of a requested link when the provider has answered, and then links. */
    @Override
    public void removeAuthNote(String name) {
        if (brokerLogin.linksOnRequest(name)) {
            gate.requireProof(this);
            keepTimeOfThisLogin();
        }
        super.removeAuthNote(name);
        ClientDemands.forget(delegate, name);
    }

    /** The provider has told when the user signed in there, which is not the time of this login. */
    private void keepTimeOfThisLogin() {
        String note = AuthenticationManager.AUTH_TIME_BROKER;
        if (writes.clientNoteBefore(note) != null) {
            delegate.setClientNote(note, writes.clientNoteBefore(note));
        } else if (writes.hasWrittenClientNote(note)) {
            delegate.removeClientNote(note);
        }
    }

    /** Keycloak copies the notes of the client to another tab, which must not have the time of a login in this one. */
    @Override
    public void setClientNote(String name, String value) {
        if (!brokerLogin.isTimeOfAnotherTab(name)) {
            super.setClientNote(name, value);
        }
    }

    /** Keycloak calls this when a flow has passed, before it shows a required action or ends the login. */
    @Override
    public void setClientScopes(Set<String> clientScopes) {
        requireInTime();
        gate.requireProof(this);
        super.setClientScopes(clientScopes);
    }

    /**
     * A login that ends after its required actions signs nobody in, and approves no device. So it needs no consent, which
     * would sign in.
     */
    @Override
    public Set<String> getClientScopes() {
        return endsAfterRequiredActions() ? Set.of() : super.getClientScopes();
    }

    @Override
    public String getClientNote(String name) {
        return DeviceGrantType.OAUTH2_DEVICE_VERIFIED_USER_CODE.equals(name) && endsAfterRequiredActions()
                ? null
                : super.getClientNote(name);
    }

    private boolean endsAfterRequiredActions() {
        return getAuthNote(AuthenticationManager.END_AFTER_REQUIRED_ACTIONS) != null;
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
}
