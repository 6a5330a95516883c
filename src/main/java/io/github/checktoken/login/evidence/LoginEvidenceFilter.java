package io.github.checktoken.login.evidence;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakTransactionManager;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.KeycloakSessionUtil;

/**
 * Records what the user has proved in a request. The request's transaction is still open then, because Keycloak's
 * {@code CloseSessionFilter} commits after all other filters. Each request that continues a login leaves its
 * authentication session in the context of the Keycloak session; other requests are ignored.
 */
@Provider
public final class LoginEvidenceFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        AuthenticationSessionModel current =
                session == null ? null : session.getContext().getAuthenticationSession();
        if (current != null && isOpen(session.getTransactionManager())) {
            // All tabs are recorded, because a forked flow changes one tab and continues in another. A tab whose login
            // has ended is not in this list; writing a note to it would create it again.
            for (AuthenticationSessionModel authSession :
                    current.getParentSession().getAuthenticationSessions().values()) {
                new LoginEvidence(session, authSession).save();
            }
        }
    }

    private static boolean isOpen(KeycloakTransactionManager transaction) {
        return transaction.isActive() && !transaction.getRollbackOnly();
    }
}
