package io.github.checktoken.emailcode;

import java.util.List;
import java.util.Map;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;
import org.keycloak.utils.StringUtil;

import org.jboss.logging.Logger;

/**
 * The settings of an execution. Keycloak saves an authenticator's settings unchecked, so each is checked when it is
 * read: what is no number, or out of range, counts as the default, and nobody weakens the code by a slip of the keyboard.
 */
final class EmailCodeConfig {

    private static final Logger logger = Logger.getLogger(EmailCodeConfig.class);

    private static final Setting LENGTH = new Setting("length", 6, 6, 10);
    private static final Setting LIFESPAN = new Setting("lifespan", 300, 1, 900);
    private static final Setting MAX_ATTEMPTS = new Setting("maxAttempts", 3, 1, 10);
    private static final Setting RESEND_WAIT = new Setting("resendWait", 30, 0, 300);
    private static final Setting MAX_CODES_PER_HOUR = new Setting("maxCodesPerHour", 10, 1, 30);

    static final List<ProviderConfigProperty> PROPERTIES = List.of(
            LENGTH.property("Digits", "How many digits a code has."),
            LIFESPAN.property("Lifespan", "Seconds for which a code is valid."),
            MAX_ATTEMPTS.property("Wrong tries", "After so many wrong tries a code is void and a new one is needed."),
            RESEND_WAIT.property("Wait before a new code", "Seconds before a person can ask for another code."),
            MAX_CODES_PER_HOUR.property(
                    "Codes per hour", "How many codes one person is sent within an hour, over all logins."));

    private final Map<String, String> config;

    /** @param model null where the administrator has set nothing */
    EmailCodeConfig(AuthenticatorConfigModel model) {
        this.config = model == null || model.getConfig() == null ? Map.of() : model.getConfig();
    }

    /** Digits of a code. */
    int length() {
        return value(LENGTH);
    }

    /** Seconds for which a code is valid. */
    int lifespan() {
        return value(LIFESPAN);
    }

    /** Guesses at one code, the right one included. */
    int maxAttempts() {
        return value(MAX_ATTEMPTS);
    }

    /** Seconds from one code to the next in the same login. */
    int resendWait() {
        return value(RESEND_WAIT);
    }

    /** Codes that one person is sent within an hour, over all logins. */
    int maxCodesPerHour() {
        return value(MAX_CODES_PER_HOUR);
    }

    private int value(Setting setting) {
        String text = config.get(setting.name);
        if (StringUtil.isBlank(text)) {
            return setting.standard;
        }
        if (setting.accepts(text)) {
            return Integer.parseInt(text);
        }
        logger.warnf(
                "E-mail one-time code: %s must be a number from %d to %d; %d is used instead",
                setting.name, setting.least, setting.most, setting.standard);
        return setting.standard;
    }

    private record Setting(String name, int standard, int least, int most) {

        /** Digits alone, few enough to be an int. */
        boolean accepts(String text) {
            return text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most;
        }

        ProviderConfigProperty property(String label, String help) {
            return ProviderConfigurationBuilder.create()
                    .property()
                    .name(name)
                    .label(label)
                    .helpText(help + " From " + least + " to " + most + "; anything else counts as " + standard + ".")
                    .type(ProviderConfigProperty.INTEGER_TYPE)
                    .defaultValue(standard)
                    .add()
                    .build()
                    .get(0);
        }
    }
}
