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
 * What a person has to have proved a short while ago, so that nobody who has the password alone gives the account a PIN to go
 * on with. Keycloak's own rule for credentials of a higher level of authentication ({@code LoAUtil}) does not know the PIN.
 */
final class PinProof {

    /** An import writes the credentials of a person one after the other. */
    private static final long IMPORTED_TOGETHER_MILLIS = 10_000;

    private final UserModel user;
    private final Set<String> proved;

    /** @param maxAge seconds */
    PinProof(KeycloakSession session, UserModel user, int maxAge) {
        this.user = user;
        this.proved = RecentProof.methods(session, user, maxAge);
    }

    /** Whether this person may choose a first PIN unasked: who has another factor than the password has to have given it. */
    boolean allowsFirst() {
        return otherFactors().findAny().isEmpty()
                || proved.stream().anyMatch(method -> !method.equals(AuthenticationMethod.PWD.value()));
    }

    boolean allowsRemoval() {
        return proved.contains(AuthenticationMethod.PIN.value())
                || proved.contains(AuthenticationMethods.MFA) && hasNoYoungerFactor();
    }

    /** Whoever has the password alone may be able to add a factor, and would then have two. */
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
