package io.github.checktoken.login.emailcode;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.AuthenticationFlowException;
import org.keycloak.events.Errors;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;

/**
 * Responds to a user without a verified address: leaves the step to the other ways to sign in, if there are any, and
 * otherwise shows the user the reason. A user who has chosen this way under <i>Try Another Way</i>, where Keycloak lists
 * it for everybody, sees the reason too.
 */
record MissingAddress(AuthenticationFlowContext context, LoginRequest request) {

    void respond(EmailCodePage page) {
        UserModel user = context.getUser();
        if (user == null) {
            throw new AuthenticationFlowException(AuthenticationFlowError.UNKNOWN_USER);
        }
        boolean otherWay = context.getAuthenticationSelections().size() > 1;
        if (leavesToOtherWays(otherWay)) {
            context.attempted();
        } else {
            context.getEvent().user(user).error(Errors.INVALID_EMAIL);
            context.challenge(page.noVerifiedAddress(otherWay));
        }
    }

    /**
     * Whether this execution does nothing, so that the flow goes on with another way. If the flow cannot go on, or the
     * user has chosen this execution, its page says why there is no code; Keycloak's page would say only that a
     * credential is missing. A direct grant has no page.
     *
     * @param otherWay whether the user can choose another way on the page
     */
    private boolean leavesToOtherWays(boolean otherWay) {
        AuthenticationExecutionModel execution = context.getExecution();
        return execution.isAlternative()
                && !request.chooses(execution)
                && (otherWay || mayFollow() || !request.isOnLoginPages());
    }

    /**
     * Whether a sub-flow follows, in which Keycloak may let the user set something up, or whether the flow above may go
     * on without this one. Keycloak does not offer such ways on the page.
     */
    private boolean mayFollow() {
        RealmModel realm = context.getRealm();
        AuthenticationExecutionModel execution = context.getExecution();
        AuthenticationExecutionModel parent = realm.getAuthenticationExecutionByFlowId(execution.getParentFlow());
        return parent != null && !parent.isRequired()
                || realm.getAuthenticationExecutionsStream(execution.getParentFlow())
                        .anyMatch(other -> other.isAlternative()
                                && other.isAuthenticatorFlow()
                                && other.getPriority() > execution.getPriority());
    }
}
