package io.github.checktoken.evidence;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakTransactionManager;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.KeycloakSessionUtil;

import io.github.checktoken.broker.BrokeredMethods;

/**
 * Takes down what a request has proved, while its transaction is open: Keycloak's {@code CloseSessionFilter} commits after
 * all other filters. Every request that carries a login on leaves an authentication session in the session's context; for
 * others there is nothing to do.
 */
@Provider
public final class LoginEvidenceFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        AuthenticationSessionModel current =
                session == null ? null : session.getContext().getAuthenticationSession();
        if (current != null && isOpen(session.getTransactionManager())) {
            // All tabs: a fork of the flow changes one and goes on in another. A tab that has ended, as after a
            // login, is not among them; writing into it would bring it back.
            for (AuthenticationSessionModel authSession :
                    current.getParentSession().getAuthenticationSessions().values()) {
                BrokeredMethods.keep(session, authSession);
                LoginEvidence.of(session, authSession).keep();
            }
        }
    }

    private static boolean isOpen(KeycloakTransactionManager transaction) {
        return transaction.isActive() && !transaction.getRollbackOnly();
    }
}
