package io.github.checktoken.pin;

import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.credential.CredentialModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;

import io.github.checktoken.evidence.RecentProof;
import io.github.checktoken.method.AuthenticationMethod;
import io.github.checktoken.method.AuthenticationMethods;

/**
 * Decides whether a user has recently proved enough to choose a first PIN or to remove the PIN. Somebody who has only
 * the password must not be able to give the account a PIN of their own. Keycloak's rule for credentials of a higher
 * level of authentication ({@code LoAUtil}) does not cover the PIN.
 */
final class PinProof {

    /** An import stores the credentials of a user one after the other, so their dates differ slightly. */
    private static final long IMPORTED_TOGETHER_MILLIS = 10_000;

    private final UserModel user;
    private final Set<String> proved;

    /** @param maxAge of the proof, in seconds */
    PinProof(KeycloakSession session, UserModel user, int maxAge) {
        this.user = user;
        this.proved = RecentProof.methods(session, user, maxAge);
    }

    /**
     * Whether the user may choose a first PIN without being required to. A user who has another factor than the
     * password must have proved something other than the password.
     */
    boolean allowsFirst() {
        return otherFactors().findAny().isEmpty()
                || proved.stream().anyMatch(method -> !method.equals(AuthenticationMethod.PWD.value()));
    }

    /**
     * Whether the user may remove the PIN: the user must have proved the PIN, or two kinds of factor while no factor is
     * younger than the PIN.
     */
    boolean allowsRemoval() {
        return proved.contains(AuthenticationMethod.PIN.value())
                || proved.contains(AuthenticationMethods.MFA) && hasNoYoungerFactor();
    }

    /**
     * Whether no other factor was added after the PIN. Somebody who has only the password may be able to add a factor,
     * and would then have two.
     */
    private boolean hasNoYoungerFactor() {
        long pin = user.credentialManager()
                .getStoredCredentialsByTypeStream(PinCredential.TYPE)
                .mapToLong(PinProof::created)
                .max()
                .orElse(0);
        return otherFactors().allMatch(factor -> created(factor) <= pin + IMPORTED_TOGETHER_MILLIS);
    }

    private Stream<CredentialModel> otherFactors() {
        Set<String> known =
                Set.of(PinCredential.TYPE, PasswordCredentialModel.TYPE, PasswordCredentialModel.PASSWORD_HISTORY);
        return user.credentialManager()
                .getStoredCredentialsStream()
                .filter(factor -> !known.contains(factor.getType()));
    }

    private static long created(CredentialModel credential) {
        return credential.getCreatedDate() == null ? 0 : credential.getCreatedDate();
    }
}
