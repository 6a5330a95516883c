package io.github.checktoken.emailcode;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.AuthenticationFlowException;
import org.keycloak.authentication.Authenticator;
import org.keycloak.events.Errors;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.utils.StringUtil;

/** Shows the page, and finds out what the person did there: entered a code, or asked for a new one. */
final class EmailCodeAuthenticator implements Authenticator {

    /** The first time it sends a code. When the page is loaded anew, or come back to, nothing is sent. */
    @Override
    public void authenticate(AuthenticationFlowContext context) {
        LoginRequest request = new LoginRequest(context);
        if (!request.isResetCredentials() && hasNoAddress(context)) {
            return;
        }
        if (!request.isOnLoginPages()) {
            context.forceChallenge(request.redirectToLoginPages());
            return;
        }
        EmailCodeStep step = new EmailCodeStep(context);
        if (step.hasSent()) {
            step.show();
        } else if (request.isOwnForm()) {
            step.send();
        } else if (request.isForwardedPassive()) {
            step.offer();
        } else {
            step.sendOnce();
        }
    }

    @Override
    public void action(AuthenticationFlowContext context) {
        if (!new LoginRequest(context).isResetCredentials() && hasNoAddress(context)) {
            return;
        }
        MultivaluedMap<String, String> form = context.getHttpRequest().getDecodedFormParameters();
        EmailCodeStep step = new EmailCodeStep(context);
        if (form.containsKey(EmailCodePage.RESEND)) {
            step.resend();
        } else if (step.hasSent()) {
            step.check(form.getFirst(EmailCodePage.CODE));
        } else {
            step.send();
        }
    }

    /**
     * False although it does: Keycloak would otherwise answer for a person without a verified address, with "credential
     * setup required" and nothing to do about it. {@link #hasNoAddress} answers instead. Every flow that names the
     * person first works as with true.
     */
    @Override
    public boolean requiresUser() {
        return false;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return hasAddress(user);
    }

    /** None: an address is verified by Keycloak's own required action, or by whoever imports it. */
    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}

    @Override
    public void close() {}

    /** @param user null for nobody */
    static boolean hasAddress(UserModel user) {
        return user != null && user.isEmailVerified() && StringUtil.isNotBlank(user.getEmail());
    }

    /** Steps aside for the other ways, where this is one of several, and tells the person where it is not. */
    private static boolean hasNoAddress(AuthenticationFlowContext context) {
        if (context.getUser() == null) {
            throw new AuthenticationFlowException(AuthenticationFlowError.UNKNOWN_USER);
        }
        if (hasAddress(context.getUser())) {
            return false;
        }
        if (context.getExecution().isAlternative()) {
            context.attempted();
        } else {
            context.getEvent().user(context.getUser()).error(Errors.INVALID_EMAIL);
            context.challenge(EmailCodePage.noVerifiedAddress(context));
        }
        return true;
    }
}
