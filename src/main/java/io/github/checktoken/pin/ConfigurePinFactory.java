package io.github.checktoken.pin;

import java.util.List;
import java.util.stream.Stream;

import org.keycloak.Config;
import org.keycloak.authentication.RequiredActionFactory;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.models.RequiredActionConfigModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.userprofile.ValidationException;
import org.keycloak.validate.ValidationError;

/** The required action that sets a PIN. A realm has it once it is registered there. */
public final class ConfigurePinFactory implements RequiredActionFactory {

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

    /** The link of an e-mail chooses one PIN. It is the default from Keycloak 26.6 on. */
    @Override
    public boolean isOneTimeAction() {
        return true;
    }

    @Override
    public List<ProviderConfigProperty> getConfigMetadata() {
        return Stream.concat(PinConfig.OF_THE_ACTION.stream(), MAX_AUTH_AGE_CONFIG_PROPERTIES.stream())
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

    @Override
    public void init(Config.Scope config) {}

    @Override
    public void postInit(KeycloakSessionFactory factory) {}

    @Override
    public void close() {}
}
