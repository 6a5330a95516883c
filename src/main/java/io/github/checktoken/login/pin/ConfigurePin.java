package io.github.checktoken.login.pin;

import java.util.List;
import java.util.stream.Stream;

import org.keycloak.authentication.CredentialRegistrator;
import org.keycloak.authentication.InitiatedActionSupport;
import org.keycloak.authentication.RequiredActionContext;
import org.keycloak.authentication.RequiredActionFactory;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.RequiredActionConfigModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.userprofile.ValidationException;
import org.keycloak.validate.ValidationError;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/**
 * The required action in which a user chooses a first PIN or changes it. It must be registered in each realm that uses
 * it. {@link ConfigurePinStep} handles each request.
 */
public final class ConfigurePin extends AbstractProviderFactory
        implements RequiredActionFactory, RequiredActionProvider, CredentialRegistrator {

    public static final String PROVIDER_ID = "configure-pin";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public RequiredActionProvider create(KeycloakSession session) {
        return this;
    }

    @Override
    public String getDisplayText() {
        return "Configure PIN";
    }

    /** A link in an e-mail can be used for one PIN only. This is the default since Keycloak 26.6. */
    @Override
    public boolean isOneTimeAction() {
        return true;
    }

    @Override
    public List<ProviderConfigProperty> getConfigMetadata() {
        return Stream.concat(PinConfig.ACTION_PROPERTIES.stream(), MAX_AUTH_AGE_CONFIG_PROPERTIES.stream())
                .toList();
    }

    @Override
    public void validateConfig(KeycloakSession session, RealmModel realm, RequiredActionConfigModel config) {
        RequiredActionFactory.super.validateConfig(session, realm, config);
        if (!PinConfig.isLengthValid(config)) {
            throw new ValidationException(new ValidationError(
                    PROVIDER_ID, PinConfig.LENGTH, "error-number-out-of-range", PinConfig.SHORTEST, PinConfig.LONGEST));
        }
    }

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
}
