package io.github.checktoken.keycloak;

import org.keycloak.authentication.AuthenticatorFactory;
import org.keycloak.models.AuthenticationExecutionModel.Requirement;

/** What the factories of this project's authenticators have in common. Each has settings. */
public interface OwnAuthenticatorFactory extends AuthenticatorFactory {

    /**
     * Returns null, because Keycloak's brute force detection ignores failures of a category other than Keycloak's own.
     */
    @Override
    default String getReferenceCategory() {
        return null;
    }

    @Override
    default Requirement[] getRequirementChoices() {
        return REQUIREMENT_CHOICES;
    }

    @Override
    default boolean isConfigurable() {
        return true;
    }

    @Override
    default boolean isUserSetupAllowed() {
        return false;
    }
}
