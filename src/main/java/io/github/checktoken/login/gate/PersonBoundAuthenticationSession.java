package io.github.checktoken.login.gate;

import java.util.Set;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.grants.device.DeviceGrantType;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.gate.lock.RequestLock;
import io.github.checktoken.login.gate.provider.TimeAtProvider;
import io.github.checktoken.login.gate.provider.UnfinishedBrokerLogin;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * An authentication session in which nothing of a former user remains, and in which a login goes on only through the
 * {@linkplain LoginGate gate}. It finds the {@linkplain LoginMoments moments of the login} in what Keycloak writes, and
 * keeps back what the request may not read or write.
 */
final class PersonBoundAuthenticationSession extends RequestBoundAuthenticationSession {

    private final LoginMoments moments;
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
        this.moments = new LoginMoments(this, gate, brokerLogin);
        this.levels = levels;
        this.brokerLogin = brokerLogin;
    }

    @Override
    public void setAuthenticatedUser(UserModel user) {
        requireInTime();
        if (user == null) {
            moments.userRemoved();
        } else {
            moments.userFound(user);
        }
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        requireInTime();
        if (status == ExecutionStatus.SUCCESS) {
            moments.stepPasses();
        }
        super.setExecutionStatus(execution, status);
        if (status == ExecutionStatus.SUCCESS) {
            moments.stepPassed(execution);
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
        if (AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION.equals(name)) {
            moments.pageFollows();
        } else if (AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS.equals(name)) {
            moments.firstBrokerLoginPassed();
        }
        super.setAuthNote(name, value);
        ClientDemands.keep(delegate, name, value);
    }

    @Override
    public void clearAuthNotes() {
        writes.clearAuthNotes();
        moments.flowBeginsAnew();
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

    @Override
    public void removeAuthNote(String name) {
        if (brokerLogin.linksOnRequest(name)) {
            moments.requestedLinkIsMade();
        }
        super.removeAuthNote(name);
        ClientDemands.forget(delegate, name);
        if (AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION.equals(name)) {
            moments.requiredActionPassed();
        }
    }

    /** Keycloak copies the notes of the client to another tab, which must not have the time of a login in this one. */
    @Override
    public void setClientNote(String name, String value) {
        if (!brokerLogin.isTimeOfAnotherTab(name)) {
            super.setClientNote(name, TimeAtProvider.notLaterThanNow(name, value));
        }
    }

    @Override
    public void setClientScopes(Set<String> clientScopes) {
        requireInTime();
        moments.flowPassed();
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
            moments.pageAfterFlowBegins();
        }
        super.setAction(action);
    }
}
