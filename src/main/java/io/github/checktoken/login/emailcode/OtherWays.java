package io.github.checktoken.login.emailcode;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.RealmModel;

/** The ways to sign in that the flow offers a user beside the code. */
final class OtherWays {

    private final AuthenticationFlowContext context;
    private final AuthenticationExecutionModel execution;
    private final RealmModel realm;

    OtherWays(AuthenticationFlowContext context) {
        this.context = context;
        this.execution = context.getExecution();
        this.realm = context.getRealm();
    }

    /** Whether the user can choose one of them on the page. */
    boolean areOffered() {
        return context.getAuthenticationSelections().size() > 1;
    }

    /**
     * Whether this execution does nothing, so that the flow goes on with one of them. If the flow cannot go on, or the
     * user has chosen this execution, its page says why there is no code; Keycloak's page would say only that a
     * credential is missing. A direct grant has no page.
     */
    boolean takeOver() {
        LoginRequest request = new LoginRequest(context);
        return execution.isAlternative()
                && !request.chooses(execution)
                && (areOffered() || mayFollow() || !request.isOnLoginPages());
    }

    /**
     * Whether a sub-flow follows, in which Keycloak may let the user set something up, or whether the flow above may go
     * on without this one. Keycloak does not offer such ways on the page.
     */
    private boolean mayFollow() {
        AuthenticationExecutionModel parent = realm.getAuthenticationExecutionByFlowId(execution.getParentFlow());
        return parent != null && !parent.isRequired()
                || realm.getAuthenticationExecutionsStream(execution.getParentFlow())
                        .anyMatch(other -> other.isAlternative()
                                && other.isAuthenticatorFlow()
                                && other.getPriority() > execution.getPriority());
    }
}
