package io.github.checktoken.login.pin;

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
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.keycloak.BruteForceDetection;
import io.github.checktoken.login.gate.CurrentStep;
import io.github.checktoken.login.pin.PinVerifier.Verdict;

/**
 * The required action in which a user chooses a first PIN or changes it. To change it, the user must enter the current PIN,
 * and wrong ones count as in the login forms: otherwise somebody who has only the password could replace the PIN.
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
    public String getCredentialType(KeycloakSession session, AuthenticationSessionModel authSession) {
        return PinCredential.TYPE;
    }

    /** Does nothing: the PIN form, an administrator or the user starts this action. */
    @Override
    public void evaluateTriggers(RequiredActionContext context) {}

    @Override
    public void requiredActionChallenge(RequiredActionContext context) {
        if (isDenied(context)) {
            return;
        }
        if (hasPin(context)) {
            PinVerifier check = check(context);
            if (check.isCapReached()) {
                context.form().addError(check.message(Verdict.TOO_MANY, CURRENT_FIELD));
            }
        }
        context.challenge(page(context));
    }

    @Override
    public void processAction(RequiredActionContext context) {
        if (isDenied(context)) {
            return;
        }
        context.getEvent().event(EventType.UPDATE_CREDENTIAL).detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE);
        MultivaluedMap<String, String> form = context.getHttpRequest().getDecodedFormParameters();
        List<FormMessage> problems = problems(context, form);
        if (!problems.isEmpty()) {
            reject(context, Errors.INVALID_INPUT, problems);
            return;
        }
        CurrentStep step = new CurrentStep(context.getSession(), context.getAuthenticationSession(), context.getUser());
        // The current PIN is checked last, so that a mistake in the new one does not count as a guess.
        if (hasPin(context) && !isCurrent(context, form.getFirst(CURRENT_FIELD))) {
            return;
        }
        PasswordCredentialModel pin =
                PinCredential.hash(context.getSession(), context.getRealm(), form.getFirst(FIELD));
        if ("on".equals(form.getFirst("logout-sessions"))) {
            AuthenticatorUtil.logoutOtherSessions(context);
        }
        // Hashing and the clients' logouts take long; what follows does not.
        step.requireCurrent(context.getEvent().clone());
        provider(context.getSession()).createCredential(context.getRealm(), context.getUser(), pin);
        context.success();
    }

    /** @return true if the user must not choose a PIN in this login; the page then gives the reason */
    private boolean isDenied(RequiredActionContext context) {
        Optional<PinManagementPermission.Denial> denial =
                PinManagementPermission.denial(context, getMaxAuthAge(context.getSession()));
        denial.ifPresent(it -> deny(context, it));
        return denial.isPresent();
    }

    private static void deny(RequiredActionContext context, PinManagementPermission.Denial denial) {
        context.getEvent()
                .clone()
                .event(EventType.UPDATE_CREDENTIAL_ERROR)
                .user(context.getUser())
                .detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE)
                .detail(Details.REASON, denial.reason())
                .error(Errors.NOT_ALLOWED);
        context.challenge(context.form().setError(denial.message()).createErrorPage(Response.Status.FORBIDDEN));
    }

    /** Whether the current PIN is correct. If it is not, the page says so. */
    private static boolean isCurrent(RequiredActionContext context, String pin) {
        PinVerifier check = check(context);
        Verdict verdict = check.check(pin);
        if (verdict == Verdict.RIGHT) {
            return true;
        }
        if (verdict == Verdict.WRONG) {
            BruteForceDetection.countFailure(context.getSession(), context.getUser());
        }
        reject(context, verdict.error(), List.of(check.message(verdict, CURRENT_FIELD)));
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
        Optional<PinStrength.Refusal> refusal = PinStrength.refusal(pin, length, birthdates(context.getUser()));
        if (refusal.isPresent()) {
            return Optional.of(new FormMessage(FIELD, refusal.get().message(), length, PinConfig.LONGEST));
        }
        return pin.equals(confirmed)
                ? Optional.empty()
                : Optional.of(new FormMessage(CONFIRM_FIELD, "pinNotConfirmed"));
    }

    private static void reject(RequiredActionContext context, String error, List<FormMessage> problems) {
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

    private static PinVerifier check(RequiredActionContext context) {
        return new PinVerifier(context.getSession(), context.getUser(), PinConfig.strictestIn(context.getRealm()));
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
