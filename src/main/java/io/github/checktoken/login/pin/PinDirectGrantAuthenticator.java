package io.github.checktoken.login.pin;

import java.util.List;

import jakarta.ws.rs.core.Response;

import org.keycloak.OAuthErrorException;
import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.authenticators.directgrant.AbstractDirectGrantAuthenticator;
import org.keycloak.events.Errors;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.keycloak.InvalidGrantStatus;
import io.github.checktoken.keycloak.OwnAuthenticatorFactory;
import io.github.checktoken.login.pin.PinVerifier.Verdict;

/**
 * Checks the PIN in a direct grant ({@code grant_type=password}), as Keycloak's {@code ValidateOTP} checks a one-time
 * password. Every rejection looks like that of a wrong password.
 */
public final class PinDirectGrantAuthenticator extends AbstractDirectGrantAuthenticator
        implements OwnAuthenticatorFactory {

    public static final String PROVIDER_ID = "direct-grant-validate-pin";

    private static final String PARAMETER = "pin";

    @Override
    public void authenticate(AuthenticationFlowContext context) {
        UserModel user = context.getUser();
        boolean hasPin = configuredFor(context.getSession(), context.getRealm(), user);
        if (!hasPin && context.getExecution().isAlternative()) {
            context.attempted();
            return;
        }
        String pin = context.getHttpRequest().getDecodedFormParameters().getFirst(PARAMETER);
        if (!hasPin || StringUtil.isBlank(pin)) {
            fail(context);
            return;
        }
        Verdict verdict = new PinVerifier(context.getSession(), user).verify(pin);
        switch (verdict) {
            case RIGHT -> context.success(PinCredential.TYPE);
            case WRONG -> fail(context);
            default -> {
                // No PIN was checked, so Keycloak's brute force detection counts nothing.
                reportError(context, verdict.error());
                context.forceChallenge(rejection());
            }
        }
    }

    /** Rejects the request; Keycloak's brute force detection counts the failure. */
    private void fail(AuthenticationFlowContext context) {
        reportError(context, Errors.INVALID_USER_CREDENTIALS);
        context.failure(AuthenticationFlowError.INVALID_CREDENTIALS, rejection());
    }

    private static void reportError(AuthenticationFlowContext context, String error) {
        context.getEvent().user(context.getUser()).error(error);
    }

    private Response rejection() {
        return errorResponse(
                InvalidGrantStatus.get().getStatusCode(),
                OAuthErrorException.INVALID_GRANT,
                "Invalid user credentials");
    }

    /** Returns false, because Keycloak would answer 500 if the execution is required and the user has no PIN. */
    @Override
    public boolean requiresUser() {
        return false;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return user != null && user.credentialManager().isConfiguredFor(PinCredential.TYPE);
    }

    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public String getDisplayType() {
        return "PIN (direct grant)";
    }

    @Override
    public String getHelpText() {
        return "Checks the PIN in the form parameter 'pin' of a direct grant request.";
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return PinConfig.FORM_PROPERTIES;
    }
}
