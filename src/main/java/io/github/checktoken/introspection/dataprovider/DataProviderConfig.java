package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.crypto.Algorithm;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.oidc.mappers.PairwiseSubMapperHelper;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.services.validation.Validation;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.introspection.jose.JoseAlgorithms;
import io.github.checktoken.settings.SettingProperty;
import io.github.checktoken.text.SingleLineText;

/**
 * The settings of the Data provider mapper. The algorithms are named like the client metadata of RFC 9701 section 6.
 */
public record DataProviderConfig(ProtocolMapperModel mapper) {

    static final String SIGNATURE_ALGORITHM = "introspection.signed.response.alg";
    static final String KEY_ALGORITHM = "introspection.encrypted.response.alg";
    static final String CONTENT_ALGORITHM = "introspection.encrypted.response.enc";
    static final String SCOPE_REQUIRED = "identity.requires.scope";
    static final String AUTH_TIME = "auth.time.disclosed";
    static final String CONTACT_ADDRESS = "contact.address";
    static final String SALT = PairwiseSubMapperHelper.PAIRWISE_SUB_ALGORITHM_SALT;

    private static final List<String> SWITCH = List.of("true", "false");

    /** What a blank setting means: every realm has a key for it. */
    private static final String BLANK_SIGNATURE_ALGORITHM = Algorithm.RS256;

    /** Blank comes first, because the Admin Console chooses the first one for a new mapper. */
    private static final ProviderConfigProperty SIGNATURE_PROPERTY = SettingProperty.choice(
            SIGNATURE_ALGORITHM,
            Stream.concat(Stream.of(""), JoseAlgorithms.SIGNATURE.stream()).toList(),
            "");

    private static final ProviderConfigProperty KEY_PROPERTY =
            SettingProperty.choice(KEY_ALGORITHM, JoseAlgorithms.KEY_MANAGEMENT, "RSA-OAEP-256");
    private static final ProviderConfigProperty CONTENT_PROPERTY =
            SettingProperty.choice(CONTENT_ALGORITHM, JoseAlgorithms.CONTENT_ENCRYPTION, "A256GCM");

    private static final ProviderConfigProperty SCOPE_REQUIRED_PROPERTY =
            SettingProperty.of(SCOPE_REQUIRED, "checktokenScopeRequired", ProviderConfigProperty.BOOLEAN_TYPE, false);
    private static final ProviderConfigProperty AUTH_TIME_PROPERTY =
            SettingProperty.of(AUTH_TIME, "checktokenAuthTime", ProviderConfigProperty.BOOLEAN_TYPE, false);

    static final List<ProviderConfigProperty> PROPERTIES = List.of(
            SIGNATURE_PROPERTY,
            KEY_PROPERTY,
            CONTENT_PROPERTY,
            // Marked as a secret.
            new ProviderConfigProperty(
                    SALT, "checktokenSalt", "checktokenSalt.help", ProviderConfigProperty.STRING_TYPE, null, true),
            SCOPE_REQUIRED_PROPERTY,
            AUTH_TIME_PROPERTY,
            SettingProperty.of(CONTACT_ADDRESS, "checktokenContact", ProviderConfigProperty.STRING_TYPE, null));

    /** JWS {@code alg} of the answer. */
    public String signatureAlgorithm() {
        String value = value(SIGNATURE_PROPERTY);
        return value.isEmpty() ? BLANK_SIGNATURE_ALGORITHM : value;
    }

    /** JWE {@code alg} of the answer. */
    public String keyAlgorithm() {
        return value(KEY_PROPERTY);
    }

    /** JWE {@code enc} of the answer. */
    public String contentAlgorithm() {
        return value(CONTENT_PROPERTY);
    }

    /** Whether a token without any of its scopes tells it nothing about the person. */
    public boolean requiresScope() {
        return Boolean.parseBoolean(value(SCOPE_REQUIRED_PROPERTY));
    }

    /** Whether answers say when the person signed in. */
    public boolean disclosesAuthTime() {
        return Boolean.parseBoolean(value(AUTH_TIME_PROPERTY));
    }

    /**
     * The address that gets notices about this data provider. We write it into no log and no event, because it can be a
     * person's.
     *
     * @return empty if there is none, or if it is no e-mail address
     */
    public Optional<String> contactAddress() {
        return Optional.ofNullable(config().get(CONTACT_ADDRESS)).filter(Validation::isEmailValid);
    }

    /** Checked only on save: without notices, answers are as they were. */
    boolean isContactAddressInvalid() {
        return StringUtil.isNotBlank(config().get(CONTACT_ADDRESS))
                && contactAddress().isEmpty();
    }

    /** Whether the salt is a setting, which an export has. */
    public boolean hasSalt() {
        return StringUtil.isNotBlank(config().get(SALT));
    }

    /** The salt that makes subjects unguessable; the mapper's id if the setting is blank. */
    String salt() {
        return hasSalt() ? config().get(SALT) : mapper.getId();
    }

    /**
     * Checked on save, and again at every call, because Keycloak does not check a mapper that is part of a client's
     * JSON.
     *
     * @return the settings whose values are not supported, in the order of the Admin Console
     */
    public List<UnsupportedSetting> unsupportedSettings() {
        return PROPERTIES.stream()
                .filter(property -> !isSupported(property))
                .map(property -> new UnsupportedSetting(property.getName(), SingleLineText.of(value(property))))
                .toList();
    }

    public boolean isSignatureAlgorithmSupported() {
        return isSupported(SIGNATURE_PROPERTY);
    }

    public boolean isKeyAlgorithmSupported() {
        return isSupported(KEY_PROPERTY);
    }

    private String value(ProviderConfigProperty property) {
        String value = config().get(property.getName());
        return StringUtil.isBlank(value) ? String.valueOf(property.getDefaultValue()) : value;
    }

    private Map<String, String> config() {
        return mapper.getConfig() == null ? Map.of() : mapper.getConfig();
    }

    /** A misspelt switch would be off without a word, and the data provider would learn more than it should. */
    private boolean isSupported(ProviderConfigProperty property) {
        List<String> options =
                ProviderConfigProperty.BOOLEAN_TYPE.equals(property.getType()) ? SWITCH : property.getOptions();
        return options == null || options.contains(value(property));
    }
}
