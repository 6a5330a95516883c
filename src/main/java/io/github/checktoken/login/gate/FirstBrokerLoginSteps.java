package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.authentication.Authenticator;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.IdpUsernamePasswordFormFactory;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.IdentityProviderModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * The steps with which the flow of a first login asks for more than that the user agrees to the link, such as a PIN. A
 * login at another provider stands for Keycloak's own forms of that flow and for the sub-flow with its password form, but
 * not for these steps.
 */
final class FirstBrokerLoginSteps {

    private static final String KEYCLOAKS_OWN = "idp-";

    private final KeycloakSession session;
    private final AuthenticationSessionModel authSession;
    private final RealmModel realm;

    FirstBrokerLoginSteps(KeycloakSession session, AuthenticationSessionModel authSession) {
        this.session = session;
        this.authSession = authSession;
        this.realm = authSession.getRealm();
    }

    /** Whether a step is enabled with which this user can prove something. */
    boolean askUser() {
        return Optional.ofNullable(SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                        authSession, AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE))
                .map(identity -> session.identityProviders().getByAlias(identity.getIdentityProviderId()))
                .map(this::flow)
                .stream()
                .flatMap(this::steps)
                .anyMatch(this::asksUser);
    }

    private String flow(IdentityProviderModel provider) {
        return provider.getFirstBrokerLoginFlowId() == null
                ? realm.getFirstBrokerLoginFlow().getId()
                : provider.getFirstBrokerLoginFlowId();
    }

    private Stream<AuthenticationExecutionModel> steps(String flow) {
        List<AuthenticationExecutionModel> executions = realm.getAuthenticationExecutionsStream(flow)
                .filter(execution -> !execution.isDisabled())
                .toList();
        return executions.stream()
                        .map(AuthenticationExecutionModel::getAuthenticator)
                        .anyMatch(IdpUsernamePasswordFormFactory.PROVIDER_ID::equals)
                ? Stream.empty()
                : executions.stream()
                        .flatMap(execution ->
                                execution.isAuthenticatorFlow() ? steps(execution.getFlowId()) : Stream.of(execution));
    }

    private boolean asksUser(AuthenticationExecutionModel step) {
        String id = step.getAuthenticator();
        return !id.startsWith(KEYCLOAKS_OWN)
                && !AuthenticatorsWithoutProof.IDS.contains(id)
                && session.getProvider(Authenticator.class, id)
                        .configuredFor(session, realm, authSession.getAuthenticatedUser());
    }
}
