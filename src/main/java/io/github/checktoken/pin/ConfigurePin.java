package io.github.checktoken.pin;

import java.util.ArrayList;
import java.util.List;
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
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.evidence.LoginEvidence;
import io.github.checktoken.limit.BruteForceDetection;
import io.github.checktoken.pin.PinCheck.Verdict;

/**
 * Lets a person choose a PIN, or another one. Who has one gives it, under the cap of the forms that ask for it: otherwise
 * whoever has the password would choose a PIN to go on with.
 */
final class ConfigurePin implements RequiredActionProvider, CredentialRegistrator {

    private static final String CURRENT_FIELD = "pin-current";
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
        if (isStranger(context) || lacksProof(context)) {
            return;
        }
        if (hasPin(context)) {
            PinCheck check = check(context);
            if (check.isCapReached()) {
                context.form().addError(check.message(Verdict.TOO_MANY, CURRENT_FIELD));
            }
        }
        context.challenge(page(context));
    }

    @Override
    public void processAction(RequiredActionContext context) {
        if (isStranger(context) || lacksProof(context)) {
            return;
        }
        context.getEvent().event(EventType.UPDATE_CREDENTIAL).detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE);
        MultivaluedMap<String, String> form = context.getHttpRequest().getDecodedFormParameters();
        List<FormMessage> problems = problems(context, form);
        if (!problems.isEmpty()) {
            refuse(context, Errors.INVALID_INPUT, problems);
            return;
        }
        // The current PIN last: who mistypes the new one has not guessed.
        if (hasPin(context) && !isCurrent(context, form.getFirst(CURRENT_FIELD))) {
            return;
        }
        if ("on".equals(form.getFirst("logout-sessions"))) {
            AuthenticatorUtil.logoutOtherSessions(context);
        }
        provider(context.getSession()).setPin(context.getRealm(), context.getUser(), form.getFirst(FIELD));
        context.success();
    }

    /** Answers where it is not known that this user is at the browser: a flow may have asked for nothing but a username. */
    private static boolean isStranger(RequiredActionContext context) {
        return !LoginEvidence.of(context.getSession(), context.getAuthenticationSession())
                        .identifiesUser()
                && refuse(context, "nothing proved in this login", "pinNotIdentified");
    }

    /**
     * The same where a first PIN is chosen unasked, and with the password alone it may not be. The proof counts for at least
     * Keycloak's default: where an administrator wants less, Keycloak asks for a new login itself.
     */
    private boolean lacksProof(RequiredActionContext context) {
        int maxAge = Math.max(getMaxAuthAge(context.getSession()), Constants.KC_ACTION_MAX_AGE);
        return !isAsked(context)
                && !hasPin(context)
                && !new PinProof(context.getSession(), context.getUser(), maxAge).allowsFirst()
                && refuse(context, "no other factor than the password in this login", "pinOtherFactorFirst");
    }

    /** By a form or an administrator. Keycloak's note of {@code kc_action} is not set where the action's alias is another. */
    private static boolean isAsked(RequiredActionContext context) {
        return Stream.concat(
                        context.getUser().getRequiredActionsStream(),
                        context.getAuthenticationSession().getRequiredActions().stream())
                .anyMatch(ConfigurePinFactory.PROVIDER_ID::equals);
    }

    private static boolean refuse(RequiredActionContext context, String reason, String message) {
        context.getEvent()
                .clone()
                .event(EventType.UPDATE_CREDENTIAL_ERROR)
                .user(context.getUser())
                .detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE)
                .detail(Details.REASON, reason)
                .error(Errors.NOT_ALLOWED);
        context.challenge(context.form().setError(message).createErrorPage(Response.Status.FORBIDDEN));
        return true;
    }

    /** Answers where it is not. */
    private static boolean isCurrent(RequiredActionContext context, String pin) {
        PinCheck check = check(context);
        Verdict verdict = check.check(pin);
        if (verdict == Verdict.RIGHT) {
            return true;
        }
        if (verdict == Verdict.WRONG) {
            BruteForceDetection.countFailure(context.getSession(), context.getUser());
        }
        refuse(context, verdict.error(), List.of(check.message(verdict, CURRENT_FIELD)));
        return false;
    }

    private static List<FormMessage> problems(RequiredActionContext context, MultivaluedMap<String, String> form) {
        List<FormMessage> problems = new ArrayList<>();
        if (hasPin(context) && StringUtil.isBlank(form.getFirst(CURRENT_FIELD))) {
            problems.add(new FormMessage(CURRENT_FIELD, "pinCurrentMissing"));
        }
        problem(context, form.getFirst(FIELD), form.getFirst(CONFIRM_FIELD)).ifPresent(problems::add);
        return problems;
    }

    private static Optional<FormMessage> problem(RequiredActionContext context, String pin, String confirmed) {
        if (StringUtil.isBlank(pin)) {
            return Optional.of(new FormMessage(FIELD, "pinNewMissing"));
        }
        int length = PinConfig.of(context.getConfig()).length();
        Optional<PinRules.Refusal> refusal = PinRules.refusal(pin, length, birthdates(context.getUser()));
        if (refusal.isPresent()) {
            return Optional.of(new FormMessage(FIELD, refusal.get().message(), length, PinConfig.LONGEST));
        }
        return pin.equals(confirmed)
                ? Optional.empty()
                : Optional.of(new FormMessage(CONFIRM_FIELD, "pinNotConfirmed"));
    }

    private static void refuse(RequiredActionContext context, String error, List<FormMessage> problems) {
        context.getEvent()
                .clone()
                .event(EventType.UPDATE_CREDENTIAL_ERROR)
                .client(context.getAuthenticationSession().getClient())
                .user(context.getUser())
                .detail(Details.REASON, problems.get(0).getMessage())
                .error(error);
        problems.forEach(context.form()::addError);
        context.challenge(page(context));
    }

    private static Response page(RequiredActionContext context) {
        return context.form()
                .setAttribute("pinChange", hasPin(context))
                .setAttribute("pinLength", PinConfig.of(context.getConfig()).length())
                .createForm("configure-pin.ftl");
    }

    private static PinCheck check(RequiredActionContext context) {
        return new PinCheck(context.getSession(), context.getUser(), PinConfig.strictestIn(context.getRealm()));
    }

    private static boolean hasPin(RequiredActionContext context) {
        return context.getUser().credentialManager().isConfiguredFor(PinCredential.TYPE);
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
