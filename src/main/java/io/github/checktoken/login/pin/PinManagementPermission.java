package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.authentication.RequiredActionContext;
import org.keycloak.credential.CredentialModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;

import io.github.checktoken.login.evidence.AuthenticationMethod;
import io.github.checktoken.login.evidence.AuthenticationMethod.Factor;
import io.github.checktoken.login.evidence.AuthenticationMethodUse;
import io.github.checktoken.login.evidence.CredentialTypes;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.RecentEvidence;

/**
 * Decides whether a user has recently proved enough to choose a first PIN or to remove the PIN. Somebody who has only
 * the password must not be able to give the account a PIN of their own. Keycloak's rule for credentials of a higher
 * level of authentication ({@code LoAUtil}) does not cover the PIN.
 */
final class PinManagementPermission {

    private final UserModel user;
    private final List<AuthenticationMethodUse> proved;

    /** @param maxAge of the proof, in seconds */
    PinManagementPermission(KeycloakSession session, UserModel user, int maxAge) {
        this.user = user;
        this.proved = RecentEvidence.methods(session, user, maxAge).uses();
    }

    /**
     * Why a login may not choose a PIN.
     *
     * @param reason for the event, in English
     * @param message key of the text for the user
     */
    record Denial(String reason, String message) {}

    /**
     * Decides whether this login may choose a PIN. A flow may have required nothing but a username, so the login must have
     * identified the user. An administrator who impersonates the user must not choose one. A user who chooses a first PIN
     * without being required to must have proved more than the password.
     *
     * @param maxAuthAge of the required action, in seconds. A proof counts for at least Keycloak's default: if an
     *     administrator sets less, Keycloak itself requires a new login
     * @return empty if the login may choose a PIN
     */
    static Optional<Denial> denial(RequiredActionContext context, int maxAuthAge) {
        LoginEvidence evidence = evidence(context);
        // To change a PIN, the user has to enter the current one.
        boolean identified = hasPin(context) ? evidence.identifiesUser() : evidence.identifiesUserInThisLogin();
        if (!identified || evidence.continuesImpersonation()) {
            return Optional.of(new Denial("nothing proved in this login", "pinNotIdentified"));
        }
        int maxAge = Math.max(maxAuthAge, Constants.KC_ACTION_MAX_AGE);
        boolean allowed = isRequired(context)
                || hasPin(context)
                || new PinManagementPermission(context.getSession(), context.getUser(), maxAge).allowsFirst();
        return allowed
                ? Optional.empty()
                : Optional.of(new Denial("no other factor than the password in this login", "pinOtherFactorFirst"));
    }

    /**
     * Whether the user has to sign in again to choose a first PIN: the session that the login continues shows that the user
     * was here once, but it may be another browser's.
     */
    static boolean needsNewLogin(RequiredActionContext context) {
        LoginEvidence evidence = evidence(context);
        return !hasPin(context)
                && !evidence.identifiesUserInThisLogin()
                && evidence.identifiesUser()
                && !evidence.continuesImpersonation();
    }

    private static boolean hasPin(RequiredActionContext context) {
        return context.getUser().credentialManager().isConfiguredFor(PinCredential.TYPE);
    }

    private static LoginEvidence evidence(RequiredActionContext context) {
        return new LoginEvidence(context.getSession(), context.getAuthenticationSession());
    }

    /**
     * Whether a form or an administrator requires the action. Keycloak's note of {@code kc_action} is no help: Keycloak
     * does not set it if the action's alias is not its provider id.
     */
    private static boolean isRequired(RequiredActionContext context) {
        return Stream.concat(
                        context.getUser().getRequiredActionsStream(),
                        context.getAuthenticationSession().getRequiredActions().stream())
                .anyMatch(ConfigurePin.PROVIDER_ID::equals);
    }

    /**
     * A user who has a factor other than the password must have proved one to which the password alone gives no access.
     */
    private boolean allowsFirst() {
        return otherFactors().findAny().isEmpty() || proved.stream().anyMatch(use -> isOtherFactor(use, storedTypes()));
    }

    /**
     * Whether a factor other than knowledge was used. The credential decides, and never the value in {@code amr}, which an
     * administrator can choose. An e-mail code is not a factor. A credential of another extension counts if it is stored
     * for the user.
     *
     * @param storedTypes the types of the user's credentials other than the password and the PIN
     */
    static boolean isOtherFactor(AuthenticationMethodUse use, Set<String> storedTypes) {
        return use.multiFactor()
                || factor(use)
                        .map(factor -> factor == Factor.POSSESSION || factor == Factor.INHERENCE)
                        .orElseGet(() -> use.credential() != null && storedTypes.contains(use.credential()));
    }

    private static Optional<Factor> factor(AuthenticationMethodUse use) {
        return CredentialTypes.method(use.credential()).map(AuthenticationMethod::factor);
    }

    /**
     * Whether the user may remove the PIN: the user must have proved the PIN. Other factors do not count. Somebody who has
     * only the password may be able to add a factor, use it, and delete it again.
     */
    boolean allowsRemoval() {
        return proved.stream().anyMatch(use -> PinCredential.TYPE.equals(use.credential()));
    }

    private Stream<CredentialModel> otherFactors() {
        Set<String> known =
                Set.of(PinCredential.TYPE, PasswordCredentialModel.TYPE, PasswordCredentialModel.PASSWORD_HISTORY);
        return user.credentialManager()
                .getStoredCredentialsStream()
                .filter(factor -> !known.contains(factor.getType()));
    }

    private Set<String> storedTypes() {
        return otherFactors().map(CredentialModel::getType).collect(Collectors.toSet());
    }
}
