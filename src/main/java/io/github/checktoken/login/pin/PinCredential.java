package io.github.checktoken.login.pin;

import org.keycloak.credential.hash.PasswordHashProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.PasswordPolicy;
import org.keycloak.models.RealmModel;
import org.keycloak.models.credential.PasswordCredentialModel;

import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Hashes and verifies PINs. A PIN is stored like a password of Keycloak, hashed as the realm's password policy
 * requires, but under a credential type of its own. Keycloak's password provider cannot be extended for this, because
 * it writes a rehashed credential back as a password.
 */
public final class PinCredential {

    public static final String TYPE = "pin";

    private static final Logger logger = Logger.getLogger(PinCredential.class);

    private PinCredential() {}

    static PasswordCredentialModel hash(KeycloakSession session, RealmModel realm, String pin) {
        PasswordPolicy policy = realm.getPasswordPolicy();
        PasswordCredentialModel hashed =
                currentHash(session, policy).encodedCredential(pin, policy.getHashIterations());
        hashed.setType(TYPE);
        return hashed;
    }

    static boolean matches(KeycloakSession session, PasswordCredentialModel stored, String pin) {
        String algorithm = stored.getPasswordCredentialData().getAlgorithm();
        PasswordHashProvider hash = session.getProvider(PasswordHashProvider.class, algorithm);
        if (hash == null) {
            logger.warnf(
                    "pin: a stored PIN is hashed with %s, which this Keycloak does not have",
                    SingleLineText.of(algorithm));
            return false;
        }
        return hash.verify(pin, stored);
    }

    /** Whether the PIN's hash no longer complies with the realm's password policy, which has changed since. */
    static boolean isOutdated(KeycloakSession session, RealmModel realm, PasswordCredentialModel stored) {
        PasswordPolicy policy = realm.getPasswordPolicy();
        return !currentHash(session, policy).policyCheck(policy, stored);
    }

    /** Returns the policy's algorithm, or else the server's default, as Keycloak does for passwords. */
    private static PasswordHashProvider currentHash(KeycloakSession session, PasswordPolicy policy) {
        String algorithm = policy.getHashAlgorithm();
        PasswordHashProvider chosen =
                algorithm == null ? null : session.getProvider(PasswordHashProvider.class, algorithm);
        return chosen == null ? session.getProvider(PasswordHashProvider.class) : chosen;
    }
}
