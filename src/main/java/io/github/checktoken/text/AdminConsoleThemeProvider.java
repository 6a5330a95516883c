package io.github.checktoken.text;

import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

import org.keycloak.models.KeycloakSession;
import org.keycloak.theme.Theme;
import org.keycloak.theme.ThemeProvider;

/** Provides {@link AdminConsoleTheme} in the place of the theme that Keycloak would use. */
record AdminConsoleThemeProvider(KeycloakSession session) implements ThemeProvider {

    private static final String BASE = "base";

    /** Above those of Keycloak, which are 100 at most. */
    @Override
    public int getProviderPriority() {
        return 1000;
    }

    @Override
    public Theme getTheme(String name, Theme.Type type) throws IOException {
        Optional<ThemeProvider> keycloaks = keycloaks(name, type);
        return keycloaks.isPresent() ? new AdminConsoleTheme(keycloaks.get().getTheme(name, type)) : null;
    }

    /** Keycloak's providers list it. */
    @Override
    public Set<String> nameSet(Theme.Type type) {
        return Set.of();
    }

    @Override
    public boolean hasTheme(String name, Theme.Type type) {
        return keycloaks(name, type).isPresent();
    }

    private Optional<ThemeProvider> keycloaks(String name, Theme.Type type) {
        return type == Theme.Type.ADMIN && BASE.equals(name)
                ? session.getAllProviders(ThemeProvider.class).stream()
                        .filter(other -> !(other instanceof AdminConsoleThemeProvider) && other.hasTheme(name, type))
                        .max(Comparator.comparing(ThemeProvider::getProviderPriority))
                : Optional.empty();
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
