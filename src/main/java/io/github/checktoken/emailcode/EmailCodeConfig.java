package io.github.checktoken.emailcode;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.settings.IntegerSetting;

/** The settings of an execution. */
final class EmailCodeConfig {

    private static final IntegerSetting LENGTH = new IntegerSetting("length", "checktokenCodeLength", 6, 6, 10);
    private static final IntegerSetting LIFESPAN =
            new IntegerSetting("lifespan", "checktokenCodeLifespan", 300, 1, 900);
    private static final IntegerSetting MAX_ATTEMPTS =
            new IntegerSetting("maxAttempts", "checktokenCodeMaxAttempts", 3, 1, 10);
    private static final IntegerSetting RESEND_WAIT =
            new IntegerSetting("resendWait", "checktokenCodeResendWait", 30, 0, 300);
    private static final IntegerSetting MAX_CODES_PER_HOUR =
            new IntegerSetting("maxCodesPerHour", "checktokenCodeMaxPerHour", 10, 1, 30);

    static final List<ProviderConfigProperty> PROPERTIES = Stream.of(
                    LENGTH, LIFESPAN, MAX_ATTEMPTS, RESEND_WAIT, MAX_CODES_PER_HOUR)
            .map(IntegerSetting::property)
            .toList();

    private final Map<String, String> config;

    /** @param model null where the administrator has set nothing */
    EmailCodeConfig(AuthenticatorConfigModel model) {
        this.config = model == null || model.getConfig() == null ? Map.of() : model.getConfig();
    }

    /** Digits of a code. */
    int length() {
        return LENGTH.value(config);
    }

    /** Seconds for which a code is valid. */
    int lifespan() {
        return LIFESPAN.value(config);
    }

    /** Guesses at one code, the right one included. */
    int maxAttempts() {
        return MAX_ATTEMPTS.value(config);
    }

    /** Seconds from one code to the next in the same login. */
    int resendWait() {
        return RESEND_WAIT.value(config);
    }

    /** Codes that one person is sent within an hour, over all logins. */
    int maxCodesPerHour() {
        return MAX_CODES_PER_HOUR.value(config);
    }
}
