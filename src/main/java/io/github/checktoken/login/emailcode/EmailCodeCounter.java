package io.github.checktoken.login.emailcode;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.limit.AttemptLimit;

/**
 * Counts the codes that a user is sent over all logins, and the guesses at a code. Codes that somebody else can trigger
 * are counted separately, so that nobody can use up the codes that the user requests. All users who do not exist share
 * one count, under an empty id.
 */
record EmailCodeCounter(KeycloakSession session, EmailCodeConfig config) {

    private static final int HOUR_SECONDS = 3600;

    /**
     * Counts the codes that a form of the login pages requests.
     *
     * @param reset whether the code is to reset credentials, for which a stranger needs only a username
     */
    AttemptLimit codes(boolean reset) {
        return limit(reset ? "reset" : "sent", config.maxCodesPerHour(), HOUR_SECONDS);
    }

    /** Whether a page may say that no further code is sent. What it says about a reset must not depend on the user. */
    boolean isSpent(boolean reset, String userId) {
        return !reset && codes(false).isReached(userId);
    }

    /** Allows one code an hour that a link on another site may have triggered. A correct code allows another one. */
    AttemptLimit linkedCodes() {
        return limit("linked", 1, HOUR_SECONDS);
    }

    AttemptLimit guesses(EmailCode code) {
        return limit("guess:" + code.salt(), config.maxAttempts(), config.lifespan());
    }

    private AttemptLimit limit(String name, int max, int seconds) {
        return new AttemptLimit(session, "email-code-" + name, max, seconds);
    }
}
