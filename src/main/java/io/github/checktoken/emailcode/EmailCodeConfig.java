package io.github.checktoken.emailcode;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.settings.BoundedNumber;

/** The settings of an execution. */
final class EmailCodeConfig {

    private static final BoundedNumber LENGTH = new BoundedNumber("length", "checktokenCodeLength", 6, 6, 10);
    private static final BoundedNumber LIFESPAN = new BoundedNumber("lifespan", "checktokenCodeLifespan", 300, 1, 900);
    private static final BoundedNumber MAX_ATTEMPTS =
            new BoundedNumber("maxAttempts", "checktokenCodeMaxAttempts", 3, 1, 10);
    private static final BoundedNumber RESEND_WAIT =
            new BoundedNumber("resendWait", "checktokenCodeResendWait", 30, 0, 300);
    private static final BoundedNumber MAX_CODES_PER_HOUR =
            new BoundedNumber("maxCodesPerHour", "checktokenCodeMaxPerHour", 10, 1, 30);

    static final List<ProviderConfigProperty> PROPERTIES = Stream.of(
                    LENGTH, LIFESPAN, MAX_ATTEMPTS, RESEND_WAIT, MAX_CODES_PER_HOUR)
            .map(BoundedNumber::property)
            .toList();

    private final Map<String, String> config;

    /** @param model null where the administrator has set nothing */
    EmailCodeConfig(AuthenticatorConfigModel model) {
        this.config = model == null || model.getConfig() == null ? Map.of() : model.getConfig();
    }

    /** Digits of a code. */
    int length() {
        return LENGTH.in(config);
    }

    /** Seconds for which a code is valid. */
    int lifespan() {
        return LIFESPAN.in(config);
    }

    /** Guesses at one code, the right one included. */
    int maxAttempts() {
        return MAX_ATTEMPTS.in(config);
    }

    /** Seconds from one code to the next in the same login. */
    int resendWait() {
        return RESEND_WAIT.in(config);
    }

    /** Codes that one person is sent within an hour, over all logins. */
    int maxCodesPerHour() {
        return MAX_CODES_PER_HOUR.in(config);
    }
}
