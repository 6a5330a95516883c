package io.github.checktoken.keycloak;

import org.keycloak.authentication.actiontoken.idpverifyemail.IdpVerifyAccountLinkActionTokenHandler;

/**
 * What Keycloak remembers if the owner of an account has agreed to a link in another browser
 * ({@code IdpVerifyAccountLinkActionTokenHandler.runIfUserVerified}).
 */
public final class AccountLinkAgreement {

    private static final KeycloakInternalMember OF_ONE_IDENTITY = new KeycloakInternalMember(
            IdpVerifyAccountLinkActionTokenHandler.class.getName(),
            "runIfUserVerified",
            "(Lorg/keycloak/models/KeycloakSession;Lorg/keycloak/models/UserModel;"
                    + "Lorg/keycloak/models/IdentityProviderModel;Ljava/lang/String;Ljava/lang/Runnable;)Z");

    private static final boolean NAMES_IDENTITY = !OF_ONE_IDENTITY.isMissing();

    private AccountLinkAgreement() {}

    /** Whether it is about one identity. In Keycloak 26.5, it counts for every identity of the same provider. */
    public static boolean namesIdentity() {
        return NAMES_IDENTITY;
    }
}
