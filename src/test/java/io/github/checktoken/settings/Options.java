package io.github.checktoken.settings;

import java.util.Map;
import java.util.Set;

import org.keycloak.Config;

/** The options of a provider, by name. */
public final class Options extends Config.AbstractScope {

    private final Map<String, String> options;

    public Options(Map<String, String> options) {
        this.options = options;
    }

    @Override
    public String get(String key) {
        return options.get(key);
    }

    @Override
    public Config.Scope scope(String... scope) {
        return this;
    }

    @Override
    public Config.Scope root() {
        return this;
    }

    @Override
    @Deprecated
    public Set<String> getPropertyNames() {
        return options.keySet();
    }
}
