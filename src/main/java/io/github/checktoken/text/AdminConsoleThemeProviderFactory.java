package io.github.checktoken.text;

import org.keycloak.models.KeycloakSession;
import org.keycloak.theme.ThemeProvider;
import org.keycloak.theme.ThemeProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/** Creates {@link AdminConsoleThemeProvider}. */
public final class AdminConsoleThemeProviderFactory extends AbstractProviderFactory implements ThemeProviderFactory {

    public static final String PROVIDER_ID = "checktoken-admin-console";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public ThemeProvider create(KeycloakSession session) {
        return new AdminConsoleThemeProvider(session);
    }
}
