package io.github.checktoken.pin;

import java.util.Optional;
import java.util.stream.Stream;

import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.authentication.CredentialRegistrator;
import org.keycloak.authentication.InitiatedActionSupport;
import org.keycloak.authentication.RequiredActionContext;
import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.credential.CredentialProvider;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.StringUtil;

/** Lets a person choose a PIN, or another one; the old one is not asked for, but a recent login is, as for passwords. */
final class ConfigurePin implements RequiredActionProvider, CredentialRegistrator {

    private static final String FIELD = "pin-new";
    private static final String CONFIRM_FIELD = "pin-confirm";
    private static final String BIRTHDATE = "birthdate";

    @Override
    public InitiatedActionSupport initiatedActionSupport() {
        return InitiatedActionSupport.SUPPORTED;
    }

    @Override
    public String getCredentialType(KeycloakSession session, AuthenticationSessionModel login) {
        return PinCredential.TYPE;
    }

    /** The form asks for it, or the person does. */
    @Override
    public void evaluateTriggers(RequiredActionContext context) {}

    @Override
    public void requiredActionChallenge(RequiredActionContext context) {
        context.challenge(page(context));
    }

    @Override
    public void processAction(RequiredActionContext context) {
        context.getEvent().event(EventType.UPDATE_CREDENTIAL).detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE);
        MultivaluedMap<String, String> form = context.getHttpRequest().getDecodedFormParameters();
        String pin = form.getFirst(FIELD);
        Optional<FormMessage> problem = problem(context, pin, form.getFirst(CONFIRM_FIELD));
        if (problem.isPresent()) {
            refuse(context, problem.get());
            return;
        }
        if ("on".equals(form.getFirst("logout-sessions"))) {
            AuthenticatorUtil.logoutOtherSessions(context);
        }
        provider(context.getSession()).setPin(context.getRealm(), context.getUser(), pin);
        context.success();
    }

    private static Optional<FormMessage> problem(RequiredActionContext context, String pin, String confirmed) {
        if (StringUtil.isBlank(pin)) {
            return Optional.of(new FormMessage(FIELD, "pinNewMissing"));
        }
        int length = PinConfig.of(context.getConfig()).length();
        Optional<PinRefusal> refusal = PinRules.refusal(pin, length, birthdates(context.getUser()));
        if (refusal.isPresent()) {
            return Optional.of(new FormMessage(FIELD, refusal.get().message(), length, PinConfig.LONGEST));
        }
        return pin.equals(confirmed)
                ? Optional.empty()
                : Optional.of(new FormMessage(CONFIRM_FIELD, "pinNotConfirmed"));
    }

    private static void refuse(RequiredActionContext context, FormMessage problem) {
        context.getEvent()
                .clone()
                .event(EventType.UPDATE_CREDENTIAL_ERROR)
                .client(context.getAuthenticationSession().getClient())
                .user(context.getUser())
                .detail(Details.REASON, problem.getMessage())
                .error(Errors.INVALID_INPUT);
        context.form().addError(problem);
        context.challenge(page(context));
    }

    private static Response page(RequiredActionContext context) {
        boolean change = context.getUser().credentialManager().isConfiguredFor(PinCredential.TYPE);
        return context.form()
                .setAttribute("pinChange", change)
                .setAttribute("pinLength", PinConfig.of(context.getConfig()).length())
                .createForm("configure-pin.ftl");
    }

    private static Stream<String> birthdates(UserModel user) {
        return user.getAttributeStream(BIRTHDATE);
    }

    private static PinCredentialProvider provider(KeycloakSession session) {
        return (PinCredentialProvider)
                session.getProvider(CredentialProvider.class, PinCredentialProviderFactory.PROVIDER_ID);
    }

    @Override
    public void close() {}
}
