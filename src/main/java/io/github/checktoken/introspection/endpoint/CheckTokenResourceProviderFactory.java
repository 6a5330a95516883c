package io.github.checktoken.introspection.endpoint;

import java.util.List;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.services.resource.RealmResourceProvider;

import io.github.checktoken.introspection.secretguess.SecretGuessLimitConfig;

/** Provides the introspection endpoint under its short path, {@code /realms/{realm}/checktoken}. */
public final class CheckTokenResourceProviderFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "checktoken";

    private SecretGuessLimitConfig guessLimit;

    @Override
    public void init(Config.Scope config) {
        super.init(config);
        guessLimit = SecretGuessLimitConfig.of(config);
    }

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new RealmResource(new CheckTokenEndpoint(session, guessLimit));
    }

    @Override
    public List<ProviderConfigProperty> getConfigMetadata() {
        return SecretGuessLimitConfig.properties();
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
