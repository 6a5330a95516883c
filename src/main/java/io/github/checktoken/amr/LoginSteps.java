package io.github.checktoken.amr;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.IdentityProviderModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

/**
 * The executions that succeeded in a login, and that the person who signs in has done.
 *
 * <p>Who has given a password may still go to an identity provider and come back as somebody else: Keycloak sets the new
 * person, and keeps the steps of the former. So after a provider only the steps of the flows that follow it are sure.
 */
final class LoginSteps {

    private final KeycloakSession session;
    private final RealmModel realm;
    private final AuthenticationSessionModel login;

    LoginSteps(KeycloakSession session, AuthenticationSessionModel login) {
        this.session = session;
        this.realm = login.getRealm();
        this.login = login;
    }

    List<AuthenticationExecutionModel> read() {
        Predicate<AuthenticationExecutionModel> isSure = isSure();
        return login.getExecutionStatus().entrySet().stream()
                .filter(step -> step.getValue() == ExecutionStatus.SUCCESS)
                .map(step -> realm.getAuthenticationExecutionById(step.getKey()))
                .filter(execution -> execution != null && !execution.isAuthenticatorFlow())
                .filter(isSure)
                .toList();
    }

    private Predicate<AuthenticationExecutionModel> isSure() {
        String providerAlias = BrokeredMethods.providerAlias(login);
        if (providerAlias == null) {
            return execution -> true;
        }
        Set<String> flows = flowsAfter(providerAlias);
        return execution -> flows.contains(
                AuthenticatorUtil.getTopParentFlow(realm, execution).getId());
    }

    /** Before the flow of a first login Keycloak forgets all earlier steps. */
    private Set<String> flowsAfter(String providerAlias) {
        IdentityProviderModel provider = session.identityProviders().getByAlias(providerAlias);
        if (provider == null) {
            return Set.of();
        }
        String first = provider.getFirstBrokerLoginFlowId();
        Set<String> flows = new HashSet<>();
        flows.add(first != null ? first : realm.getFirstBrokerLoginFlow().getId());
        flows.add(provider.getPostBrokerLoginFlowId());
        return flows;
    }
}
