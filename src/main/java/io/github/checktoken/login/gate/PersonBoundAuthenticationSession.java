package io.github.checktoken.login.gate;

import java.util.Set;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.grants.device.DeviceGrantType;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * An authentication session in which nothing of a former user remains, and in which a login goes on only through the
 * {@linkplain LoginGate gate}.
 *
 * <p>Keycloak may replace or remove the user of an authentication session in the middle of a login. If another user is
 * set, everything that says what the {@linkplain SessionOwner owner} has done is dropped ({@link FormerUserState}). If the
 * user is only removed, nothing is dropped.
 */
final class PersonBoundAuthenticationSession extends RequestBoundAuthenticationSession {

    private final SessionOwner owner;
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
        this.owner = new SessionOwner(delegate, writes);
        this.gate = gate;
        this.levels = levels;
        this.brokerLogin = brokerLogin;
    }

    @Override
    public void setAuthenticatedUser(UserModel user) {
        requireInTime();
        if (user == null) {
            owner.removeUser();
            return;
        }
        String before = owner.id();
        if (before != null && !before.equals(user.getId())) {
            FormerUserState.drop(delegate, writes);
        }
        boolean isSet = delegate.getAuthenticatedUser() != null;
        delegate.setAuthenticatedUser(user);
        writes.userSet();
        if (brokerLogin.isCallback()) {
            brokerLogin.endForLinkedUser(delegate, writes);
            writes.userSessionNotes().forEach(delegate::setUserSessionNote);
        }
        if (!user.getId().equals(before)) {
            owner.set(user, before);
            LoginDeadline.begin(delegate);
        } else if (isSet) {
            beginTimeAtFirstProof();
        }
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        requireInTime();
        if (status == ExecutionStatus.SUCCESS && delegate.getAuthenticatedUser() != null) {
            beginTimeAtFirstProof();
        }
        super.setExecutionStatus(execution, status);
        if (status == ExecutionStatus.SUCCESS) {
            brokerLogin.afterReset().linkIfConfirmed(this, execution);
        }
    }

    /** Who has typed the name may look for the password for as long as Keycloak allows. */
    private void beginTimeAtFirstProof() {
        if (!gate.hadProof(this)) {
            LoginDeadline.begin(delegate);
        }
    }

    @Override
    public String getAuthNote(String name) {
        return levels.isOfAnotherPage(name) ? null : ClientDemands.note(delegate, name);
    }

    @Override
    public void setAuthNote(String name, String value) {
        requireInTime();
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

    /** Keycloak clears the notes when it resets a flow, together with all else that belongs to the user. */
    @Override
    public void clearAuthNotes() {
        writes.clearAuthNotes();
        FormerUserState.dropAtReset(delegate, writes, brokerLogin.beginsAnew(delegate));
    }

    /**
     * Keycloak's callback of a provider writes what the provider's mappers say of the session before it knows whether it
     * signs somebody in. So this waits until it sets the user: one of before may have nothing to do with the provider.
     */
    @Override
    public void setUserSessionNote(String name, String value) {
        if (brokerLogin.isAnswerOfProvider() && !writes.isUserSet()) {
            requireInTime();
            writes.userSessionNote(name, value);
        } else {
            super.setUserSessionNote(name, value);
        }
    }

    /**
     * Keycloak removes the note of a requested link when the provider has answered, and then links. It removes the note of
     * the current execution when a required action has passed.
     */
    @Override
    public void removeAuthNote(String name) {
        if (brokerLogin.linksOnRequest(name)) {
            gate.requireProof(this);
            brokerLogin.keepTimeOfThisLogin(delegate, writes);
        }
        super.removeAuthNote(name);
        ClientDemands.forget(delegate, name);
        if (AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION.equals(name)) {
            brokerLogin.afterReset().goOnAfterAction(this);
        }
    }

    /** Keycloak copies the notes of the client to another tab, which must not have the time of a login in this one. */
    @Override
    public void setClientNote(String name, String value) {
        if (!brokerLogin.isTimeOfAnotherTab(name)) {
            super.setClientNote(name, UnfinishedBrokerLogin.notLaterThanNow(name, value));
        }
    }

    /** Keycloak calls this when a flow has passed, before it shows a required action or ends the login. */
    @Override
    public void setClientScopes(Set<String> clientScopes) {
        requireInTime();
        parent.requireNotUsedUp(this);
        gate.requireProof(this);
        brokerLogin.afterReset().goOn(this);
        super.setClientScopes(clientScopes);
    }

    /** A login that ends after its required actions signs nobody in and approves no device, so it needs no consent. */
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
            requireInTime();
            gate.requireProof(this);
        }
        super.setAction(action);
    }
}
