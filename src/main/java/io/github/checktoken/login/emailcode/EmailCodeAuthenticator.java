package io.github.checktoken.login.emailcode;

import java.util.List;
import java.util.Set;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.Authenticator;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.OwnAuthenticatorFactory;
import io.github.checktoken.login.evidence.AuthenticationMethod;

/** Asks the user for a code that it sends by e-mail. {@link EmailCodeStep} handles each request. */
public final class EmailCodeAuthenticator extends AbstractProviderFactory
        implements OwnAuthenticatorFactory, Authenticator {

    public static final String PROVIDER_ID = "auth-email-code-form";

    /** Used like a credential type: on success Keycloak adds it to the list of used credentials. */
    static final String METHOD = AuthenticationMethod.MAIL.value();

    @Override
    public void authenticate(AuthenticationFlowContext context) {
        new EmailCodeStep(context).begin();
    }

    @Override
    public void action(AuthenticationFlowContext context) {
        new EmailCodeStep(context).submit();
    }

    /**
     * Returns false, although a user is required. Otherwise Keycloak itself would respond to a user without a verified
     * address, with "credential setup required", about which the user can do nothing. {@link MissingAddress} responds
     * instead. In a flow that identifies the user first this makes no other difference.
     */
    @Override
    public boolean requiresUser() {
        return false;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return hasVerifiedAddress(user);
    }

    /** @param user may be null */
    static boolean hasVerifiedAddress(UserModel user) {
        return user != null && user.isEmailVerified() && StringUtil.isNotBlank(user.getEmail());
    }

    /** Sets no required action: Keycloak's own one verifies addresses, or whoever imports them does. */
    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public Authenticator create(KeycloakSession session) {
        return this;
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
     * The type that a success reports. The account console does not list it, as no credential provider has this type.
     */
    @Override
    public Set<String> getOptionalReferenceCategories(KeycloakSession session) {
        return Set.of(METHOD);
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return EmailCodeConfig.PROPERTIES;
    }
}
