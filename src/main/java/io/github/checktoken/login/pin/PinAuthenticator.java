package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Set;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.Authenticator;
import org.keycloak.authentication.CredentialValidator;
import org.keycloak.authentication.RequiredActionFactory;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.OwnAuthenticatorFactory;
import io.github.checktoken.login.evidence.LoginEvidence;

/** Asks the user for the PIN, in a flow that has already identified the user. */
public final class PinAuthenticator extends AbstractProviderFactory
        implements OwnAuthenticatorFactory, Authenticator, CredentialValidator<PinCredentialProvider> {

    public static final String PROVIDER_ID = "auth-pin-form";

    @Override
    public void authenticate(AuthenticationFlowContext context) {
        new PinStep(context).begin();
    }

    @Override
    public void action(AuthenticationFlowContext context) {
        new PinStep(context).submit();
    }

    @Override
    public boolean requiresUser() {
        return true;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return user.credentialManager().isConfiguredFor(PinCredential.TYPE);
    }

    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        if (!authSession.getRequiredActions().contains(ConfigurePin.PROVIDER_ID)) {
            authSession.addRequiredAction(ConfigurePin.PROVIDER_ID);
        }
    }

    /**
     * Keycloak also calls this to decide whether the execution counts as passed and the user has to choose a PIN. It
     * returns false for somebody who has only typed a username: Keycloak then continues as with any execution that is
     * not set up for the user.
     */
    @Override
    public boolean areRequiredActionsEnabled(KeycloakSession session, RealmModel realm) {
        return Authenticator.super.areRequiredActionsEnabled(session, realm)
                && new LoginEvidence(session, session.getContext().getAuthenticationSession()).identifiesUser();
    }

    @Override
    public List<RequiredActionFactory> getRequiredActions(KeycloakSession session) {
        return List.of((RequiredActionFactory) session.getKeycloakSessionFactory()
                .getProviderFactory(RequiredActionProvider.class, ConfigurePin.PROVIDER_ID));
    }

    @Override
    public PinCredentialProvider getCredentialProvider(KeycloakSession session) {
        return PinCredentialProvider.of(session);
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public Authenticator create(KeycloakSession session) {
        return this;
    }

    @Override
    public String getDisplayType() {
        return "PIN form";
    }

    @Override
    public String getHelpText() {
        return "Asks for the PIN that the person chose. Register the required action Configure PIN, so that people can choose one.";
    }

    /** Makes the account console list PINs, as long as a flow asks for them. */
    @Override
    public Set<String> getOptionalReferenceCategories(KeycloakSession session) {
        return Set.of(PinCredential.TYPE);
    }

    @Override
    public boolean isUserSetupAllowed() {
        return true;
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return PinConfig.FORM_PROPERTIES;
    }
}
