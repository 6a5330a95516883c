package io.github.checktoken.emailcode;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.limit.AttemptLimit;

/**
 * How many codes one person is sent, over all logins, and how many guesses a code bears. What others can start is counted
 * apart, so that nobody uses up the codes that a person asks for.
 */
final class EmailCodeLimits {

    private static final int HOUR_SECONDS = 3600;

    private final KeycloakSession session;
    private final EmailCodeConfig config;

    EmailCodeLimits(KeycloakSession session, EmailCodeConfig config) {
        this.session = session;
        this.config = config;
    }

    /** Codes that a form of the login pages asks for. */
    AttemptLimit asked() {
        return limit("sent", config.maxCodesPerHour(), HOUR_SECONDS);
    }

    /** Codes to reset credentials, for which a stranger needs a name alone. */
    AttemptLimit reset() {
        return limit("reset", config.maxCodesPerHour(), HOUR_SECONDS);
    }

    /** The one code that a link may start; a right code gives it back. */
    AttemptLimit linked() {
        return limit("linked", 1, HOUR_SECONDS);
    }

    /** Guesses at a code. */
    AttemptLimit guesses(EmailCode code) {
        return limit("guess:" + code.salt(), config.maxAttempts(), config.lifespan());
    }

    private AttemptLimit limit(String name, int most, int seconds) {
        return new AttemptLimit(session, "email-code-" + name, most, seconds);
    }
}
