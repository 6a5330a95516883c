package io.github.checktoken.pin;

import java.util.List;
import java.util.Set;

import org.keycloak.Config;
import org.keycloak.authentication.Authenticator;
import org.keycloak.authentication.AuthenticatorFactory;
import org.keycloak.models.AuthenticationExecutionModel.Requirement;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderConfigProperty;

/** The form that asks for the PIN, as an execution of an authentication flow. */
public final class PinAuthenticatorFactory implements AuthenticatorFactory {

    public static final String PROVIDER_ID = "auth-pin-form";

    private static final PinAuthenticator SINGLETON = new PinAuthenticator();

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public Authenticator create(KeycloakSession session) {
        return SINGLETON;
    }

    @Override
    public String getDisplayType() {
        return "PIN form";
    }

    @Override
    public String getHelpText() {
        return "Asks for the PIN that the person chose. Register the required action Configure PIN, so that people can.";
    }

    /** None: Keycloak's brute force detection counts no failures of a category that is not its own. */
    @Override
    public String getReferenceCategory() {
        return null;
    }

    /** With it the account console lists PINs, as long as a flow asks for them. */
    @Override
    public Set<String> getOptionalReferenceCategories(KeycloakSession session) {
        return Set.of(PinCredential.TYPE);
    }

    @Override
    public Requirement[] getRequirementChoices() {
        return REQUIREMENT_CHOICES;
    }

    @Override
    public boolean isUserSetupAllowed() {
        return true;
    }

    @Override
    public boolean isConfigurable() {
        return true;
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return PinConfig.OF_THE_FORM;
    }

    @Override
    public void init(Config.Scope config) {}

    @Override
    public void postInit(KeycloakSessionFactory factory) {}

    @Override
    public void close() {}
}
