package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Set;

import org.keycloak.authentication.Authenticator;
import org.keycloak.models.KeycloakSession;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.OwnAuthenticatorFactory;

/** Registers the form that asks for the PIN as an execution of authentication flows. */
public final class PinAuthenticatorFactory extends AbstractProviderFactory implements OwnAuthenticatorFactory {

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
