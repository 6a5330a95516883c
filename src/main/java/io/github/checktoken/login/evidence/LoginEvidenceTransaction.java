package io.github.checktoken.login.evidence;

import java.util.HashSet;
import java.util.Set;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.AbstractKeycloakTransaction;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * Records what the user has proved in a request, right before Keycloak commits it. Each request that continues a login
 * leaves its authentication session in the context of the Keycloak session; other requests are ignored.
 */
public final class LoginEvidenceTransaction extends AbstractKeycloakTransaction {

    private final KeycloakSession session;

    private LoginEvidenceTransaction(KeycloakSession session) {
        this.session = session;
    }

    public static void enlist(KeycloakSession session) {
        session.getTransactionManager().enlistPrepare(new LoginEvidenceTransaction(session));
    }

    /**
     * A forked flow changes one tab and continues in another. A tab whose login has ended is not in the root authentication
     * session; writing a note to it would create it again.
     */
    @Override
    protected void commitImpl() {
        AuthenticationSessionModel current = session.getContext().getAuthenticationSession();
        if (current == null) {
            return;
        }
        Set<String> worked = new HashSet<>(Set.of(current.getTabId()));
        worked.add(current.getAuthNote(AuthenticationProcessor.FORKED_FROM));
        current.getParentSession().getAuthenticationSessions().forEach((tabId, authSession) -> {
            if (worked.contains(tabId)) {
                new LoginEvidence(session, authSession).save();
            }
        });
    }

    @Override
    protected void rollbackImpl() {}
}
