package io.github.checktoken.login.emailcode;

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

/** Sends the code, shows the page, and handles the page's form: the user has entered a code, or requests a new one. */
final class EmailCodeAuthenticator implements Authenticator {

    /** Sends a code the first time only, and not if the user reloads the page or returns to it. */
    @Override
    public void authenticate(AuthenticationFlowContext context) {
        LoginRequest request = new LoginRequest(context);
        if (!request.isResetCredentials() && handlesMissingAddress(context)) {
            return;
        }
        if (!request.isOnLoginPages()) {
            context.forceChallenge(request.redirectToLoginPages());
            return;
        }
        EmailCodeStep step = new EmailCodeStep(context);
        if (step.hasSent()) {
            step.show();
        } else if (request.isFormOfLoginPages()) {
            step.send();
        } else if (request.isForwardedPassiveLogin()) {
            step.offerCode();
        } else {
            step.sendOnce();
        }
    }

    @Override
    public void action(AuthenticationFlowContext context) {
        if (!new LoginRequest(context).isResetCredentials() && handlesMissingAddress(context)) {
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
     * Returns false, although a user is required. Otherwise Keycloak itself would respond to a user without a verified
     * address, with "credential setup required", about which the user can do nothing. {@link #handlesMissingAddress}
     * responds instead. In a flow that identifies the user first this makes no other difference.
     */
    @Override
    public boolean requiresUser() {
        return false;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return hasVerifiedAddress(user);
    }

    /** Sets no required action: Keycloak's own one verifies addresses, or whoever imports them does. */
    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}

    @Override
    public void close() {}

    /** @param user may be null */
    static boolean hasVerifiedAddress(UserModel user) {
        return user != null && user.isEmailVerified() && StringUtil.isNotBlank(user.getEmail());
    }

    /**
     * Handles a user without a verified address: leaves the step to the other alternatives, if there are any, and
     * otherwise shows the user the reason. A user who has chosen this way under <i>Try Another Way</i>, where Keycloak
     * lists it for everybody, sees the reason too.
     *
     * @return whether the address is missing, so that the request has been handled
     */
    private static boolean handlesMissingAddress(AuthenticationFlowContext context) {
        if (context.getUser() == null) {
            throw new AuthenticationFlowException(AuthenticationFlowError.UNKNOWN_USER);
        }
        if (hasVerifiedAddress(context.getUser())) {
            return false;
        }
        if (new OtherWays(context).takeOver()) {
            context.attempted();
        } else {
            context.getEvent().user(context.getUser()).error(Errors.INVALID_EMAIL);
            context.challenge(EmailCodePage.noVerifiedAddress(context));
        }
        return true;
    }
}
