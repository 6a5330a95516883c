package io.github.checktoken.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.keycloak.models.Constants;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.util.JsonSerialization;
import org.keycloak.utils.StringUtil;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * How the settings of mappers, executions and the required action are declared, and how those that hold a list or pairs are read.
 * The label of a setting is a message key; the key of its help text is the same with {@code .help} appended.
 */
public final class SettingProperty {

    private SettingProperty() {}

    /**
     * A setting whose name is its label's message key.
     *
     * @param type a constant of {@link ProviderConfigProperty}
     * @param defaultValue null for none
     */
    public static ProviderConfigProperty of(String name, String type, Object defaultValue) {
        return of(name, name, type, defaultValue);
    }

    /** @param label message key */
    public static ProviderConfigProperty of(String name, String label, String type, Object defaultValue) {
        return new ProviderConfigProperty(name, label, label + ".help", type, defaultValue);
    }

    /** A choice among options. */
    public static ProviderConfigProperty choice(String name, List<String> options, String defaultValue) {
        ProviderConfigProperty property = of(name, ProviderConfigProperty.LIST_TYPE, defaultValue);
        property.setOptions(options);
        return property;
    }

    /**
     * Reads a multivalued setting.
     *
     * @param stored the values joined by {@code ##}; null for none
     * @return without empty values
     */
    public static Stream<String> split(String stored) {
        return stored == null
                ? Stream.empty()
                : Constants.CFG_DELIMITER_PATTERN.splitAsStream(stored.strip()).filter(value -> !value.isEmpty());
    }

    /**
     * Reads a setting of the type {@code Map}. Keycloak's {@code getConfigMap} throws on an invalid one.
     *
     * @param json {@code [{"key": …, "value": …}, …]}; null or blank for none
     * @return keys, which may come twice, with their values, without space around these; empty if it cannot be read
     */
    public static Optional<List<Map.Entry<String, String>>> pairs(String json) {
        try {
            JsonNode pairs = JsonSerialization.mapper.readTree(StringUtil.isBlank(json) ? "[]" : json);
            return Optional.of(pairs)
                    .filter(JsonNode::isArray)
                    .map(array -> StreamSupport.stream(array.spliterator(), false)
                            .map(pair -> Map.entry(
                                    pair.path("key").asText(),
                                    pair.path("value").asText().strip()))
                            .toList());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
