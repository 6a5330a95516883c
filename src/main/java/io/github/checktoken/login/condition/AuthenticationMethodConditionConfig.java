package io.github.checktoken.login.condition;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.settings.SettingProperty;

/**
 * The settings of the condition.
 *
 * @param methods values of {@code amr}; an Authenticator Reference may be another one than those that are offered
 * @param all whether each of them is needed, and not one
 * @param negate whether the condition is met if they were <em>not</em> used
 */
record AuthenticationMethodConditionConfig(List<String> methods, boolean all, boolean negate) {

    static final String METHODS = "methods";
    static final String ALL = "all";
    static final String NEGATE = "negate";

    static final List<ProviderConfigProperty> PROPERTIES = List.of(
            methodsProperty(),
            SettingProperty.of(ALL, "checktokenMethodsAll", ProviderConfigProperty.BOOLEAN_TYPE, "false"),
            SettingProperty.of(NEGATE, "checktokenMethodsNegate", ProviderConfigProperty.BOOLEAN_TYPE, "false"));

    /** @param execution null if the administrator has configured nothing */
    static AuthenticationMethodConditionConfig of(AuthenticatorConfigModel execution) {
        Map<String, String> config =
                execution == null || execution.getConfig() == null ? Map.of() : execution.getConfig();
        return new AuthenticationMethodConditionConfig(
                SettingProperty.split(config.get(METHODS)).map(String::strip).toList(),
                Boolean.parseBoolean(config.get(ALL)),
                Boolean.parseBoolean(config.get(NEGATE)));
    }

    /** Without a method in the settings, nothing counts as used. */
    boolean matches(Set<String> used) {
        boolean found = all
                ? !methods.isEmpty() && used.containsAll(methods)
                : methods.stream().anyMatch(used::contains);
        return found != negate;
    }

    private static ProviderConfigProperty methodsProperty() {
        ProviderConfigProperty property =
                SettingProperty.of(METHODS, "checktokenMethods", ProviderConfigProperty.MULTIVALUED_LIST_TYPE, null);
        property.setOptions(AuthenticationMethods.KNOWN_VALUES);
        return property;
    }
}
