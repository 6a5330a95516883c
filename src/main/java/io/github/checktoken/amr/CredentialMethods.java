package io.github.checktoken.amr;

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

import io.github.checktoken.pin.PinAuthenticatorFactory;
import io.github.checktoken.pin.PinCredential;

/** Keycloak's credential types: which method each is, and which execution checks it. */
final class CredentialMethods {

    private static final Map<String, AuthenticationMethod> BY_CREDENTIAL_TYPE = Map.of(
            PasswordCredentialModel.TYPE,
            AuthenticationMethod.PWD,
            PinCredential.TYPE,
            AuthenticationMethod.PIN,
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

    /** Nothing in the credential says whether the person was verified: only where the policy requires it, it is sure. */
    static boolean isMultiFactor(RealmModel realm, String type) {
        WebAuthnPolicy policy = WebAuthnCredentialModel.TYPE_TWOFACTOR.equals(type)
                ? realm.getWebAuthnPolicy()
                : WebAuthnCredentialModel.TYPE_PASSWORDLESS.equals(type) ? realm.getWebAuthnPolicyPasswordless() : null;
        return policy != null
                && Constants.WEBAUTHN_POLICY_OPTION_REQUIRED.equals(policy.getUserVerificationRequirement());
    }

    /** What an execution checks, as Keycloak names credential types; null where it checks none that is known. */
    static String checkedBy(KeycloakSession session, AuthenticationExecutionModel execution) {
        return switch (execution.getAuthenticator()) {
            case UsernameFormFactory.PROVIDER_ID -> null;
            case X509ClientCertificateAuthenticatorFactory.PROVIDER_ID -> UserCredentialModel.CLIENT_CERT;
            case PinAuthenticatorFactory.PROVIDER_ID -> PinCredential.TYPE;
            default ->
                session.getKeycloakSessionFactory()
                                        .getProviderFactory(Authenticator.class, execution.getAuthenticator())
                                instanceof AuthenticatorFactory factory
                        ? factory.getReferenceCategory()
                        : null;
        };
    }
}
