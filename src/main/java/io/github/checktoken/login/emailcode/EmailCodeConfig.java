package io.github.checktoken.login.emailcode;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.settings.IntegerSetting;

/**
 * The settings of an execution of the e-mail one-time code.
 *
 * @param length number of digits of a code
 * @param lifespan seconds for which a code is valid
 * @param maxAttempts how many guesses at one code are allowed, including the correct one
 * @param resendWait seconds that the user must wait for the next code in the same login
 * @param maxCodesPerHour how many codes a user can request within an hour, over all logins; codes to reset credentials
 *     are counted apart
 */
record EmailCodeConfig(int length, int lifespan, int maxAttempts, int resendWait, int maxCodesPerHour) {

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

    /** @param model null if the administrator has configured nothing */
    static EmailCodeConfig of(AuthenticatorConfigModel model) {
        Map<String, String> config = model == null ? null : model.getConfig();
        return new EmailCodeConfig(
                LENGTH.value(config),
                LIFESPAN.value(config),
                MAX_ATTEMPTS.value(config),
                RESEND_WAIT.value(config),
                MAX_CODES_PER_HOUR.value(config));
    }
}
