package io.github.checktoken.login.evidence;

import java.util.Map;
import java.util.Optional;

import org.keycloak.authentication.Authenticator;
import org.keycloak.authentication.AuthenticatorFactory;
import org.keycloak.authentication.authenticators.browser.UsernameFormFactory;
import org.keycloak.authentication.authenticators.x509.X509ClientCertificateAuthenticatorFactory;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserCredentialModel;
import org.keycloak.models.WebAuthnPolicy;
import org.keycloak.models.credential.OTPCredentialModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.models.credential.RecoveryAuthnCodesCredentialModel;
import org.keycloak.models.credential.WebAuthnCredentialModel;

/**
 * Maps Keycloak's credential types to authentication methods, and executions to the credential type that they check. The
 * credential types of this project's authenticators have the name of their method.
 */
public final class CredentialTypes {

    private static final Map<String, AuthenticationMethod> METHODS = Map.ofEntries(
            Map.entry(PasswordCredentialModel.TYPE, AuthenticationMethod.PWD),
            Map.entry(AuthenticationMethod.PIN.value(), AuthenticationMethod.PIN),
            Map.entry(AuthenticationMethod.MAIL.value(), AuthenticationMethod.MAIL),
            Map.entry(OTPCredentialModel.TYPE, AuthenticationMethod.OTP),
            Map.entry(RecoveryAuthnCodesCredentialModel.TYPE, AuthenticationMethod.OTP),
            Map.entry(WebAuthnCredentialModel.TYPE_TWOFACTOR, AuthenticationMethod.POP),
            Map.entry(WebAuthnCredentialModel.TYPE_PASSWORDLESS, AuthenticationMethod.POP),
            Map.entry(UserCredentialModel.CLIENT_CERT, AuthenticationMethod.POP),
            Map.entry(UserCredentialModel.KERBEROS, AuthenticationMethod.WIA));

    private CredentialTypes() {}

    /**
     * @param type may be null
     * @return empty for a credential type of another extension
     */
    public static Optional<AuthenticationMethod> method(String type) {
        return type == null ? Optional.empty() : Optional.ofNullable(METHODS.get(type));
    }

    /**
     * Whether the use of a credential of this type proves two kinds of factor. A WebAuthn credential does not say
     * whether the user was verified, so this is certain only if the realm's policy requires user verification.
     *
     * @param type may be null
     */
    static boolean isMultiFactor(RealmModel realm, String type) {
        WebAuthnPolicy policy = WebAuthnCredentialModel.TYPE_TWOFACTOR.equals(type)
                ? realm.getWebAuthnPolicy()
                : WebAuthnCredentialModel.TYPE_PASSWORDLESS.equals(type) ? realm.getWebAuthnPolicyPasswordless() : null;
        return policy != null
                && Constants.WEBAUTHN_POLICY_OPTION_REQUIRED.equals(policy.getUserVerificationRequirement());
    }

    /**
     * Finds the credential type that an execution checks: the reference category of its factory, or else the first
     * optional reference category. This project's authenticators have only an optional one;
     * {@link io.github.checktoken.keycloak.OwnAuthenticatorFactory#getReferenceCategory} says why.
     *
     * @return null if the execution checks no credential, or if its factory has no category
     */
    static String checkedBy(KeycloakSession session, AuthenticationExecutionModel execution) {
        return switch (execution.getAuthenticator()) {
            // Its category is "password", but it asks for the username only.
            case UsernameFormFactory.PROVIDER_ID -> null;
            case X509ClientCertificateAuthenticatorFactory.PROVIDER_ID -> UserCredentialModel.CLIENT_CERT;
            default ->
                session.getKeycloakSessionFactory()
                                        .getProviderFactory(Authenticator.class, execution.getAuthenticator())
                                instanceof AuthenticatorFactory factory
                        ? referenceCategory(session, factory)
                        : null;
        };
    }

    private static String referenceCategory(KeycloakSession session, AuthenticatorFactory factory) {
        return factory.getReferenceCategory() != null
                ? factory.getReferenceCategory()
                : factory.getOptionalReferenceCategories(session).stream()
                        .findFirst()
                        .orElse(null);
    }
}
