package io.github.checktoken.evidence;

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

import io.github.checktoken.method.AuthenticationMethod;

/** Credential types: which method each is, and which execution checks it. This project's own are named as their method. */
final class CredentialMethods {

    private static final Map<String, AuthenticationMethod> BY_CREDENTIAL_TYPE = Map.of(
            PasswordCredentialModel.TYPE,
            AuthenticationMethod.PWD,
            AuthenticationMethod.PIN.value(),
            AuthenticationMethod.PIN,
            AuthenticationMethod.MAIL.value(),
            AuthenticationMethod.MAIL,
            OTPCredentialModel.TYPE,
            AuthenticationMethod.OTP,
            RecoveryAuthnCodesCredentialModel.TYPE,
            AuthenticationMethod.OTP,
            WebAuthnCredentialModel.TYPE_TWOFACTOR,
            AuthenticationMethod.POP,
            WebAuthnCredentialModel.TYPE_PASSWORDLESS,
            AuthenticationMethod.POP,
            UserCredentialModel.CLIENT_CERT,
            AuthenticationMethod.POP,
            UserCredentialModel.KERBEROS,
            AuthenticationMethod.WIA);

    private CredentialMethods() {}

    /** @param type may be null */
    static Optional<AuthenticationMethod> of(String type) {
        return type == null ? Optional.empty() : Optional.ofNullable(BY_CREDENTIAL_TYPE.get(type));
    }

    /** Nothing in the credential says whether the user was verified: only where the policy requires it, it is sure. */
    static boolean isMultiFactor(RealmModel realm, String type) {
        WebAuthnPolicy policy = WebAuthnCredentialModel.TYPE_TWOFACTOR.equals(type)
                ? realm.getWebAuthnPolicy()
                : WebAuthnCredentialModel.TYPE_PASSWORDLESS.equals(type) ? realm.getWebAuthnPolicyPasswordless() : null;
        return policy != null
                && Constants.WEBAUTHN_POLICY_OPTION_REQUIRED.equals(policy.getUserVerificationRequirement());
    }

    /**
     * What an execution checks, as Keycloak names credential types: its factory's reference category, or its optional one
     * (this project's authenticators have no other, see {@link AuthenticatorFactory#getReferenceCategory} there).
     *
     * @return null for an execution that checks nothing that is known
     */
    static String checkedBy(KeycloakSession session, AuthenticationExecutionModel execution) {
        return switch (execution.getAuthenticator()) {
            case UsernameFormFactory.PROVIDER_ID -> null;
            case X509ClientCertificateAuthenticatorFactory.PROVIDER_ID -> UserCredentialModel.CLIENT_CERT;
            default ->
                session.getKeycloakSessionFactory()
                                        .getProviderFactory(Authenticator.class, execution.getAuthenticator())
                                instanceof AuthenticatorFactory factory
                        ? category(session, factory)
                        : null;
        };
    }

    private static String category(KeycloakSession session, AuthenticatorFactory factory) {
        return factory.getReferenceCategory() != null
                ? factory.getReferenceCategory()
                : factory.getOptionalReferenceCategories(session).stream()
                        .findFirst()
                        .orElse(null);
    }
}
