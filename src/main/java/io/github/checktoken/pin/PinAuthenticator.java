package io.github.checktoken.pin;

import java.util.List;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.Authenticator;
import org.keycloak.authentication.CredentialValidator;
import org.keycloak.authentication.RequiredActionFactory;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.credential.CredentialProvider;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserCredentialModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.limit.PersonLimit;

/** Asks a known person for the PIN. */
final class PinAuthenticator implements Authenticator, CredentialValidator<PinCredentialProvider> {

    private static final String FIELD = "pin";

    @Override
    public void authenticate(AuthenticationFlowContext context) {
        PinConfig config = PinConfig.of(context.getAuthenticatorConfig());
        context.challenge(
                failures(context, config).isReached(context.getUser())
                        ? page(context, tooManyFailures(config))
                        : page(context, null));
    }

    @Override
    public void action(AuthenticationFlowContext context) {
        UserModel person = context.getUser();
        context.getEvent().user(person).detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE);
        String pin = context.getHttpRequest().getDecodedFormParameters().getFirst(FIELD);
        PinConfig config = PinConfig.of(context.getAuthenticatorConfig());
        PersonLimit failures = failures(context, config);
        String lock = AuthenticatorUtils.getDisabledByBruteForceEventError(context, person);
        if (lock != null) {
            // The same words as for a wrong PIN: as on Keycloak's own forms, guessing shows no lock.
            refuse(context, lock, new FormMessage(FIELD, "pinInvalid"));
        } else if (StringUtil.isBlank(pin)) {
            context.challenge(page(context, new FormMessage(FIELD, "pinMissing")));
        } else if (!failures.take(person)) {
            refuse(context, Errors.USER_TEMPORARILY_DISABLED, tooManyFailures(config));
        } else if (person.credentialManager().isValid(new UserCredentialModel("", PinCredential.TYPE, pin))) {
            failures.clear(person);
            context.success(PinCredential.TYPE);
        } else {
            context.getEvent().error(Errors.INVALID_USER_CREDENTIALS);
            context.failureChallenge(
                    AuthenticationFlowError.INVALID_CREDENTIALS, page(context, new FormMessage(FIELD, "pinInvalid")));
        }
    }

    /** No PIN was checked, so Keycloak's brute force detection counts nothing. */
    private static void refuse(AuthenticationFlowContext context, String error, FormMessage message) {
        context.getEvent().error(error);
        context.forceChallenge(page(context, message));
    }

    /** Every guess takes a place before it is checked, and a right one gives all back: parallel guesses gain nothing. */
    private static PersonLimit failures(AuthenticationFlowContext context, PinConfig config) {
        return new PersonLimit(context.getSession(), "pin", config.maxFailures(), config.failureWindow());
    }

    private static FormMessage tooManyFailures(PinConfig config) {
        return new FormMessage("pinTooManyFailures", (config.failureWindow() + 59) / 60);
    }

    /** @param error null for none; one without a field concerns the whole page */
    private static Response page(AuthenticationFlowContext context, FormMessage error) {
        if (error != null) {
            context.form().addError(error);
        }
        return context.form().createForm("login-pin.ftl");
    }

    @Override
    public boolean requiresUser() {
        return true;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return user.credentialManager().isConfiguredFor(PinCredential.TYPE);
    }

    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {
        AuthenticationSessionModel login = session.getContext().getAuthenticationSession();
        if (!login.getRequiredActions().contains(ConfigurePinFactory.PROVIDER_ID)) {
            login.addRequiredAction(ConfigurePinFactory.PROVIDER_ID);
        }
    }

    @Override
    public List<RequiredActionFactory> getRequiredActions(KeycloakSession session) {
        return List.of((RequiredActionFactory) session.getKeycloakSessionFactory()
                .getProviderFactory(RequiredActionProvider.class, ConfigurePinFactory.PROVIDER_ID));
    }

    @Override
    public PinCredentialProvider getCredentialProvider(KeycloakSession session) {
        return (PinCredentialProvider)
                session.getProvider(CredentialProvider.class, PinCredentialProviderFactory.PROVIDER_ID);
    }

    @Override
    public void close() {}
}
