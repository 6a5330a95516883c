package io.github.checktoken.login.evidence;

import java.util.HashSet;
import java.util.Set;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakTransactionManager;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.KeycloakSessionUtil;

import io.github.checktoken.keycloak.LoginGuard;

/**
 * Records what the user has proved in a request of a guarded realm. The request's transaction is still open then, because
 * Keycloak's {@code CloseSessionFilter} commits after all other filters. Each request that continues a login leaves its
 * authentication session in the context of the Keycloak session; other requests are ignored.
 */
@Provider
public final class LoginEvidenceFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        AuthenticationSessionModel current =
                session == null ? null : session.getContext().getAuthenticationSession();
        if (current != null
                && isOpen(session.getTransactionManager())
                && new LoginGuard(session).allowsToTell(current.getRealm())) {
            save(session, current);
        }
    }

    /**
     * A forked flow changes one tab and continues in another. A tab whose login has ended is not in the root authentication
     * session; writing a note to it would create it again.
     */
    private static void save(KeycloakSession session, AuthenticationSessionModel current) {
        Set<String> worked = new HashSet<>(Set.of(current.getTabId()));
        worked.add(current.getAuthNote(AuthenticationProcessor.FORKED_FROM));
        current.getParentSession().getAuthenticationSessions().forEach((tabId, authSession) -> {
            if (worked.contains(tabId)) {
                new LoginEvidence(session, authSession).save();
            }
        });
    }

    private static boolean isOpen(KeycloakTransactionManager transaction) {
        return transaction.isActive() && !transaction.getRollbackOnly();
    }
}
