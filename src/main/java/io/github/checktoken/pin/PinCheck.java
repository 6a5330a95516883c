package io.github.checktoken.pin;

import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.credential.CredentialModel;
import org.keycloak.events.Errors;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserCredentialModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.services.managers.BruteForceProtector;

import io.github.checktoken.limit.AttemptLimit;

/**
 * Checks what a person gives as the PIN, in the same way wherever it is asked for.
 *
 * <p>Every guess takes a place before it is checked, and a right one gives all back: parallel guesses gain nothing. The
 * places belong to this one PIN, so an administrator who deletes it lifts the cap.
 */
final class PinCheck {

    /** What became of a guess, and the error of its event. */
    enum Verdict {
        RIGHT(null),
        WRONG(Errors.INVALID_USER_CREDENTIALS),
        /** Not checked: there were too many wrong ones. */
        TOO_MANY(Errors.USER_TEMPORARILY_DISABLED),
        /** Not checked: Keycloak's brute force detection has locked the person. */
        LOCKED(Errors.USER_TEMPORARILY_DISABLED),
        LOCKED_FOR_GOOD(Errors.USER_DISABLED);

        private final String error;

        Verdict(String error) {
            this.error = error;
        }

        String error() {
            return error;
        }
    }

    private final KeycloakSession session;
    private final UserModel user;
    private final PinConfig config;
    private final AttemptLimit failures;

    PinCheck(KeycloakSession session, UserModel user, PinConfig config) {
        this.session = session;
        this.user = user;
        this.config = config;
        this.failures = new AttemptLimit(session, "pin:" + pinId(user), config.maxFailures(), config.failureWindow());
    }

    /** Whether no PIN is accepted for now. */
    boolean isCapReached() {
        return failures.isReached(user);
    }

    Verdict check(String pin) {
        String lock = AuthenticatorUtils.getDisabledByBruteForceEventError(
                session.getProvider(BruteForceProtector.class),
                session,
                session.getContext().getRealm(),
                user);
        if (lock != null) {
            return lock.equals(Errors.USER_DISABLED) ? Verdict.LOCKED_FOR_GOOD : Verdict.LOCKED;
        }
        if (!failures.take(user)) {
            return Verdict.TOO_MANY;
        }
        if (!user.credentialManager().isValid(new UserCredentialModel("", PinCredential.TYPE, pin))) {
            return Verdict.WRONG;
        }
        failures.clear(user);
        return Verdict.RIGHT;
    }

    /**
     * What the person reads. A lock says what a wrong PIN says: as on Keycloak's own forms, guessing shows no lock.
     *
     * @param field of the PIN; the cap concerns the whole page
     */
    FormMessage message(Verdict refusal, String field) {
        return refusal == Verdict.TOO_MANY
                ? new FormMessage("pinTooManyFailures", (config.failureWindow() + 59) / 60)
                : new FormMessage(field, "pinInvalid");
    }

    private static String pinId(UserModel user) {
        return user.credentialManager()
                .getStoredCredentialsByTypeStream(PinCredential.TYPE)
                .findFirst()
                .map(CredentialModel::getId)
                .orElse("none");
    }
}
