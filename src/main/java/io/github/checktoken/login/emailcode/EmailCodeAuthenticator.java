package io.github.checktoken.login.emailcode;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.Authenticator;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.utils.StringUtil;

/** Asks the user for a code that it sends by e-mail. {@link EmailCodeStep} handles each request. */
final class EmailCodeAuthenticator implements Authenticator {

    @Override
    public void authenticate(AuthenticationFlowContext context) {
        new EmailCodeStep(context).begin();
    }

    @Override
    public void action(AuthenticationFlowContext context) {
        new EmailCodeStep(context).submit();
    }

    /**
     * Returns false, although a user is required. Otherwise Keycloak itself would respond to a user without a verified
     * address, with "credential setup required", about which the user can do nothing. {@link MissingAddress} responds
     * instead. In a flow that identifies the user first this makes no other difference.
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
}
