package io.github.checktoken.login.condition;

import java.util.List;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.authenticators.conditional.ConditionalAuthenticator;
import org.keycloak.authentication.authenticators.conditional.ConditionalAuthenticatorFactory;
import org.keycloak.models.AuthenticationExecutionModel.Requirement;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.login.evidence.MethodsSoFar;

/** A condition of a sub-flow: how the person has signed in so far, here or at an identity provider. */
public final class AuthenticationMethodCondition extends AbstractProviderFactory
        implements ConditionalAuthenticatorFactory, ConditionalAuthenticator {

    public static final String PROVIDER_ID = "conditional-authentication-method";

    @Override
    public boolean matchCondition(AuthenticationFlowContext context) {
        return AuthenticationMethodConditionConfig.of(context.getAuthenticatorConfig())
                .matches(MethodsSoFar.values(context.getSession(), context.getAuthenticationSession()));
    }

    @Override
    public ConditionalAuthenticator getSingleton() {
        return this;
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public String getDisplayType() {
        return "Condition - authentication method";
    }

    @Override
    public String getHelpText() {
        return "Runs the sub-flow depending on how the person has signed in so far, here or at an identity provider (amr).";
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return AuthenticationMethodConditionConfig.PROPERTIES;
    }

    @Override
    public boolean isConfigurable() {
        return true;
    }

    @Override
    public boolean isUserSetupAllowed() {
        return false;
    }

    @Override
    public Requirement[] getRequirementChoices() {
        return new Requirement[] {Requirement.REQUIRED, Requirement.DISABLED};
    }

    /** Keycloak evaluates conditions without a user, too. Nothing has been proved then. */
    @Override
    public boolean requiresUser() {
        return false;
    }

    /** Not called, because Keycloak only evaluates a condition. */
    @Override
    public void action(AuthenticationFlowContext context) {}

    /** Nobody sets up a condition. */
    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}
}
