package io.github.checktoken.login.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.keycloak.models.IdentityProviderMapperModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.settings.SettingProperty;

/**
 * The settings of the identity provider mapper. Keycloak does not validate such a mapper on save, so unknown values are
 * ignored here, and {@link #invalidSettings} names their settings for a warning at each login.
 *
 * <p>A list is {@code a##b}, as everywhere in realm JSON; spaces and commas also separate its values. The settings are
 * text fields, because on this page the Admin Console sends a multivalued property as an array, which Keycloak rejects.
 */
final class AmrIdentityProviderConfig {

    static final String ASK = "amr.ask.provider";
    static final String DEFAULT = "amr.default";
    static final String ACCEPTED = "amr.accepted.values";
    static final String MAPPING = "amr.mapping";
    static final String LEVELS = "acr.levels";
    static final String TRUST_MFA = "amr.trust.mfa";

    /** With {@code mfa}, which counts only if {@link #TRUST_MFA} is on. */
    static final List<String> KNOWN = AuthenticationMethods.KNOWN_VALUES;

    static final List<ProviderConfigProperty> PROPERTIES = List.of(
            SettingProperty.of(ASK, ProviderConfigProperty.BOOLEAN_TYPE, "false"),
            SettingProperty.of(DEFAULT, ProviderConfigProperty.STRING_TYPE, null),
            SettingProperty.of(ACCEPTED, ProviderConfigProperty.STRING_TYPE, String.join(" ", KNOWN)),
            SettingProperty.of(MAPPING, ProviderConfigProperty.MAP_TYPE, null),
            SettingProperty.of(TRUST_MFA, ProviderConfigProperty.BOOLEAN_TYPE, "false"),
            SettingProperty.of(LEVELS, ProviderConfigProperty.MAP_TYPE, null));

    private static final Pattern LEVEL = Pattern.compile("[1-9][0-9]{0,3}");
    private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

    private final Map<String, String> config;
    private final Set<String> invalidSettings = new LinkedHashSet<>();
    private final List<String> defaultMethods;
    private final List<String> accepted;
    private final Map<String, List<String>> mapping;
    private final Map<String, Integer> levels;

    AmrIdentityProviderConfig(IdentityProviderMapperModel mapper) {
        config = mapper.getConfig() == null ? Map.of() : mapper.getConfig();
        defaultMethods = onlyKnown(DEFAULT, list(DEFAULT));
        accepted = config.get(ACCEPTED) == null ? KNOWN : onlyKnown(ACCEPTED, list(ACCEPTED));
        mapping = readMapping();
        levels = readLevels();
    }

    /** Whether the provider is asked for {@code amr} in each request, for those that tell it only then. */
    boolean asksProvider() {
        return Boolean.parseBoolean(config.get(ASK));
    }

    /** @return the methods of a login at a provider that sends no {@code amr} */
    List<String> defaultMethods() {
        return defaultMethods;
    }

    /**
     * Maps the provider's values to our methods.
     *
     * @return the accepted methods
     */
    Set<String> accept(List<String> upstream) {
        return upstream.stream()
                .flatMap(value -> mapping.getOrDefault(value, List.of(value)).stream())
                .filter(accepted::contains)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether the provider's {@code mfa} counts even if its other values are not of two kinds of factor. */
    boolean trustsMfa() {
        return Boolean.parseBoolean(config.get(TRUST_MFA));
    }

    /**
     * @param acr the provider's value; null if it sent none
     * @return the realm's level for it; null without one
     */
    Integer level(String acr) {
        return levels.get(acr);
    }

    /** @return names of the settings with values that are unknown or cannot be read, and are therefore ignored */
    Set<String> invalidSettings() {
        return invalidSettings;
    }

    private Map<String, List<String>> readMapping() {
        Map<String, List<String>> map = new LinkedHashMap<>();
        for (Map.Entry<String, String> pair : pairs(MAPPING)) {
            map.computeIfAbsent(pair.getKey(), key -> new ArrayList<>())
                    .addAll(onlyKnown(MAPPING, List.of(pair.getValue())));
        }
        return map;
    }

    /** If a value has several levels, the lowest one counts. */
    private Map<String, Integer> readLevels() {
        Map<String, Integer> map = new HashMap<>();
        for (Map.Entry<String, String> pair : pairs(LEVELS)) {
            if (LEVEL.matcher(pair.getValue()).matches()) {
                map.merge(pair.getKey(), Integer.valueOf(pair.getValue()), Math::min);
            } else {
                invalidSettings.add(LEVELS);
            }
        }
        return map;
    }

    private List<Map.Entry<String, String>> pairs(String setting) {
        Optional<List<Map.Entry<String, String>>> pairs = SettingProperty.pairs(config.get(setting));
        if (pairs.isEmpty()) {
            invalidSettings.add(setting);
        }
        return pairs.orElse(List.of());
    }

    private List<String> list(String name) {
        return SettingProperty.split(config.get(name))
                .flatMap(SEPARATOR::splitAsStream)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private List<String> onlyKnown(String setting, List<String> values) {
        if (!KNOWN.containsAll(values)) {
            invalidSettings.add(setting);
        }
        return values.stream().filter(KNOWN::contains).toList();
    }
}
