package io.github.checktoken.support.userstore;

import java.util.List;

import org.keycloak.component.ComponentModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;
import org.keycloak.storage.UserStorageProviderFactory;

/** Makes {@link UnreliableUserStore}. */
public final class UnreliableUserStoreFactory implements UserStorageProviderFactory<UnreliableUserStore> {

    public static final String ID = "unreliable";

    /** The setting that has the name of the only user, whose password is {@code demo-password}. */
    public static final String USER = "user";

    /** The setting that says what fails: {@code look-up}, {@code state} or {@code attributes}; empty for nothing. */
    public static final String FAILING = "failing";

    @Override
    public UnreliableUserStore create(KeycloakSession session, ComponentModel model) {
        return new UnreliableUserStore(session, model);
    }

    @Override
    public String getId() {
        return ID;
    }

    /** Keycloak changes no setting that is not here. */
    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return ProviderConfigurationBuilder.create()
                .property(USER, USER, "", ProviderConfigProperty.STRING_TYPE, null, null)
                .property(FAILING, FAILING, "", ProviderConfigProperty.STRING_TYPE, null, null)
                .build();
    }
}
