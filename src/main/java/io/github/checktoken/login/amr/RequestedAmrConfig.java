package io.github.checktoken.login.amr;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.models.Constants;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.login.evidence.AuthenticationMethod;
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.settings.SettingProperty;
import io.github.checktoken.text.SingleLineText;

/**
 * The settings of the requested-amr mapper. Lists are multivalued properties of Keycloak, {@code a##b} in realm JSON.
 */
record RequestedAmrConfig(ProtocolMapperModel mapper) {

    static final String RELEASED = "amr.released.values";
    static final String CONSTANT = "amr.constant.values";
    static final String VOLUNTARY = "amr.release.voluntary";

    static final List<String> RELEASED_BY_DEFAULT = List.of("pwd", "pop", "pin", "mail", "mfa");

    static final List<ProviderConfigProperty> PROPERTIES = List.of(
            SettingProperty.of(
                    RELEASED,
                    ProviderConfigProperty.MULTIVALUED_STRING_TYPE,
                    String.join(Constants.CFG_DELIMITER, RELEASED_BY_DEFAULT)),
            SettingProperty.of(CONSTANT, ProviderConfigProperty.MULTIVALUED_STRING_TYPE, null),
            SettingProperty.of(VOLUNTARY, ProviderConfigProperty.BOOLEAN_TYPE, "false"));

    boolean releasesAmr(AmrClaimRequest amrClaim) {
        return amrClaim == AmrClaimRequest.ESSENTIAL
                || amrClaim == AmrClaimRequest.VOLUNTARY && Boolean.parseBoolean(value(VOLUNTARY));
    }

    /** @return the constant values, then those of the methods that may be released, in the order of the settings */
    List<String> amrValues(Set<String> methods) {
        return Stream.concat(
                        constant().filter(RequestedAmrConfig::isAllowedConstant),
                        released().filter(methods::contains))
                .distinct()
                .toList();
    }

    /** @return the first value that a setting must not have; empty if all values are allowed */
    Optional<Problem> problem() {
        return Stream.concat(
                        released()
                                .filter(value -> !isWord(value))
                                .map(value -> new Problem(RELEASED, SingleLineText.of(value))),
                        constant()
                                .filter(value -> !isAllowedConstant(value))
                                .map(value -> new Problem(CONSTANT, SingleLineText.of(value))))
                .findFirst();
    }

    /** A setting and the value that it must not have, made safe for logs and cut. */
    record Problem(String setting, String value) {}

    /** If the setting is missing, the default applies. If it is empty, nothing is released. */
    private Stream<String> released() {
        return value(RELEASED) == null ? RELEASED_BY_DEFAULT.stream() : SettingProperty.split(value(RELEASED));
    }

    private Stream<String> constant() {
        return SettingProperty.split(value(CONSTANT));
    }

    private String value(String name) {
        return mapper.getConfig() == null ? null : mapper.getConfig().get(name);
    }

    /** A constant must not name a method, because the user may not have used that method. */
    private static boolean isAllowedConstant(String value) {
        return isWord(value)
                && !value.equals(AuthenticationMethods.MFA)
                && AuthenticationMethod.of(value)
                        .filter(method -> method != AuthenticationMethod.FC)
                        .isEmpty();
    }

    private static boolean isWord(String value) {
        return value.length() <= 64 && value.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
