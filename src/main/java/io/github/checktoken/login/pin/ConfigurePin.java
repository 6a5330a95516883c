package io.github.checktoken.login.pin;

import org.keycloak.authentication.CredentialRegistrator;
import org.keycloak.authentication.InitiatedActionSupport;
import org.keycloak.authentication.RequiredActionContext;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;

/** The required action in which a user chooses a first PIN or changes it. {@link ConfigurePinStep} handles each request. */
final class ConfigurePin implements RequiredActionProvider, CredentialRegistrator {

    @Override
    public InitiatedActionSupport initiatedActionSupport() {
        return InitiatedActionSupport.SUPPORTED;
    }

    @Override
    public String getCredentialType(KeycloakSession session, AuthenticationSessionModel authSession) {
        return PinCredential.TYPE;
    }

    /** Does nothing: the PIN form, an administrator or the user starts this action. */
    @Override
    public void evaluateTriggers(RequiredActionContext context) {}

    @Override
    public void requiredActionChallenge(RequiredActionContext context) {
        new ConfigurePinStep(context, getMaxAuthAge(context.getSession())).begin();
    }

    @Override
    public void processAction(RequiredActionContext context) {
        new ConfigurePinStep(context, getMaxAuthAge(context.getSession())).submit();
    }

    @Override
    public void close() {}
}
