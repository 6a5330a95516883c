package io.github.checktoken.login.pin;

import java.util.List;
import java.util.stream.Stream;

import org.keycloak.authentication.RequiredActionFactory;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.RequiredActionConfigModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.userprofile.ValidationException;
import org.keycloak.validate.ValidationError;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/** Provides the required action that sets a PIN. It must be registered in each realm that uses it. */
public final class ConfigurePinFactory extends AbstractProviderFactory implements RequiredActionFactory {

    public static final String PROVIDER_ID = "configure-pin";

    private static final ConfigurePin SINGLETON = new ConfigurePin();

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public RequiredActionProvider create(KeycloakSession session) {
        return SINGLETON;
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
        if (!PinConfig.of(config).isLengthValid()) {
            throw new ValidationException(new ValidationError(
                    PROVIDER_ID, PinConfig.LENGTH, "error-number-out-of-range", PinConfig.SHORTEST, PinConfig.LONGEST));
        }
    }
}
