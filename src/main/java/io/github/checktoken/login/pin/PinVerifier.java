package io.github.checktoken.login.pin;

import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.credential.CredentialModel;
import org.keycloak.events.Errors;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserCredentialModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.services.managers.BruteForceProtector;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.telemetry.CheckTokenCounter;

/**
 * Checks a PIN that a user enters, in the same way wherever it is asked for.
 *
 * <p>Each guess takes a slot of the limit before it is checked, so parallel guesses gain nothing. A correct PIN frees
 * all slots. The slots belong to this one PIN, so an administrator who deletes the PIN also resets the limit.
 */
final class PinVerifier {

    /** The result of a check, with the error of its event. */
    enum Verdict {
        RIGHT(null),
        WRONG(Errors.INVALID_USER_CREDENTIALS),
        /** The PIN was not checked, because there were too many wrong ones. */
        TOO_MANY(Errors.USER_TEMPORARILY_DISABLED),
        /** The PIN was not checked, because Keycloak's brute force detection has locked the user temporarily. */
        LOCKED(Errors.USER_TEMPORARILY_DISABLED),
        /** The PIN was not checked, because Keycloak's brute force detection has locked the user permanently. */
        LOCKED_FOR_GOOD(Errors.USER_DISABLED);

        private final String error;

        Verdict(String error) {
            this.error = error;
        }

        /** @return null if the PIN is correct */
        String error() {
            return error;
        }
    }

    private final KeycloakSession session;
    private final UserModel user;
    private final PinConfig config;
    private final AttemptLimit failures;

    PinVerifier(KeycloakSession session, UserModel user) {
        this.session = session;
        this.user = user;
        this.config = PinConfig.strictestIn(session.getContext().getRealm());
        this.failures = new AttemptLimit(session, "pin:" + pinId(user), config.maxFailures(), config.failureWindow());
    }

    /** Whether every PIN is rejected at present, even the correct one. */
    boolean isCapReached() {
        return failures.isReached(user.getId());
    }

    Verdict verify(String pin) {
        // Also if the account is locked: otherwise the message of the last try, which never came, would reveal the
        // lock.
        boolean free = failures.take(user.getId());
        String lock = AuthenticatorUtils.getDisabledByBruteForceEventError(
                session.getProvider(BruteForceProtector.class),
                session,
                session.getContext().getRealm(),
                user);
        if (lock != null) {
            return lock.equals(Errors.USER_DISABLED) ? Verdict.LOCKED_FOR_GOOD : Verdict.LOCKED;
        }
        if (!free) {
            return Verdict.TOO_MANY;
        }
        if (!user.credentialManager().isValid(new UserCredentialModel("", PinCredential.TYPE, pin))) {
            if (failures.isReached(user.getId())) {
                CheckTokenCounter.PINS_LOCKED.increment(
                        session.getContext().getRealm().getName());
            }
            return Verdict.WRONG;
        }
        failures.free(user.getId());
        return Verdict.RIGHT;
    }

    /**
     * Returns the message for the user. It is the same for a lock as for a wrong PIN: as on Keycloak's own forms,
     * guesses do not reveal a lock. How many tries are left is said only before the last one, because another guess would
     * show that anyway.
     *
     * @param field the form field of the PIN; the message about too many wrong PINs concerns the whole page
     */
    FormMessage message(Verdict refusal, String field) {
        int left = refusal == Verdict.TOO_MANY ? 0 : failures.left(user.getId());
        int minutes = (config.failureWindow() + 59) / 60;
        return switch (left) {
            case 0 -> new FormMessage("pinTooManyFailures", minutes);
            case 1 -> new FormMessage(field, "pinLastTry", minutes);
            default -> new FormMessage(field, "pinInvalid");
        };
    }

    private static String pinId(UserModel user) {
        return user.credentialManager()
                .getStoredCredentialsByTypeStream(PinCredential.TYPE)
                .findFirst()
                .map(CredentialModel::getId)
                .orElse("none");
    }
}
