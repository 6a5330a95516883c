package io.github.checktoken.login.emailcode;

import java.util.List;
import java.util.Set;

import org.keycloak.authentication.Authenticator;
import org.keycloak.authentication.AuthenticatorFactory;
import org.keycloak.models.AuthenticationExecutionModel.Requirement;
import org.keycloak.models.KeycloakSession;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.login.evidence.AuthenticationMethod;

/** Registers the e-mail one-time code as an execution of authentication flows. */
public final class EmailCodeAuthenticatorFactory extends AbstractProviderFactory implements AuthenticatorFactory {

    public static final String PROVIDER_ID = "auth-email-code-form";

    /** Used like a credential type: on success Keycloak adds it to the list of used credentials. */
    static final String METHOD = AuthenticationMethod.MAIL.value();

    private static final Authenticator AUTHENTICATOR = new EmailCodeAuthenticator();

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public String getDisplayType() {
        return "E-mail one-time code";
    }

    @Override
    public String getHelpText() {
        return "Sends a code to the person's verified e-mail address and asks for it.";
    }

    /**
     * Returns null, because Keycloak's brute force detection ignores failures of a category other than Keycloak's own.
     */
    @Override
    public String getReferenceCategory() {
        return null;
    }

    /**
     * The type that a success reports. The account console does not list it, as no credential provider has this type.
     */
    @Override
    public Set<String> getOptionalReferenceCategories(KeycloakSession session) {
        return Set.of(METHOD);
    }

    @Override
    public boolean isConfigurable() {
        return true;
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return EmailCodeConfig.PROPERTIES;
    }

    @Override
    public Requirement[] getRequirementChoices() {
        return REQUIREMENT_CHOICES;
    }

    @Override
    public boolean isUserSetupAllowed() {
        return false;
    }

    @Override
    public Authenticator create(KeycloakSession session) {
        return AUTHENTICATOR;
    }
}
