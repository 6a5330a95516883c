package io.github.checktoken.login.evidence;

import java.util.Map;
import java.util.Optional;

import org.keycloak.models.UserCredentialModel;
import org.keycloak.models.credential.OTPCredentialModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.models.credential.RecoveryAuthnCodesCredentialModel;
import org.keycloak.models.credential.WebAuthnCredentialModel;

/**
 * Maps Keycloak's credential types to authentication methods. The credential types of this project's authenticators have
 * the name of their method.
 */
public final class CredentialTypes {

    private static final Map<String, AuthenticationMethod> METHODS = Map.of(
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

    private CredentialTypes() {}

    /**
     * @param type may be null
     * @return empty for a credential type of another extension
     */
    public static Optional<AuthenticationMethod> method(String type) {
        return type == null ? Optional.empty() : Optional.ofNullable(METHODS.get(type));
    }
}
