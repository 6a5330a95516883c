package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Optional;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.authentication.RequiredActionContext;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.theme.Theme;

import io.github.checktoken.keycloak.BruteForceDetection;
import io.github.checktoken.login.gate.CurrentStep;
import io.github.checktoken.login.pin.PinManagementPermission.Denial;
import io.github.checktoken.login.pin.PinVerifier.Verdict;
import io.github.checktoken.text.OwnMessages;

/**
 * Handles one request in which a user chooses a PIN. To change it, the user must enter the current PIN, and wrong ones
 * count as in the login forms: otherwise somebody who has only the password could replace the PIN.
 */
final class ConfigurePinStep {

    private final RequiredActionContext context;
    private final KeycloakSession session;
    private final UserModel user;
    private final CurrentStep step;
    private final Optional<Denial> denial;
    private final boolean hasPin;

    /** The least number of digits of a new PIN. */
    private final int length;

    /** @param maxAuthAge of the required action, in seconds */
    ConfigurePinStep(RequiredActionContext context, int maxAuthAge) {
        this.context = context;
        this.session = context.getSession();
        this.user = context.getUser();
        this.step = new CurrentStep(session, context.getAuthenticationSession(), user);
        this.denial = PinManagementPermission.denial(context, maxAuthAge);
        this.hasPin = user.credentialManager().isConfiguredFor(PinCredential.TYPE);
        this.length = PinConfig.of(context.getConfig()).length();
    }

    void begin() {
        if (PinManagementPermission.needsNewLogin(context)) {
            context.challenge(new Reauthentication(session, context.getAuthenticationSession()).redirect());
        } else {
            denial.ifPresentOrElse(this::deny, this::ask);
        }
    }

    void submit() {
        denial.ifPresentOrElse(this::deny, this::choose);
    }

    private void ask() {
        if (hasPin) {
            PinVerifier verifier = verifier();
            if (verifier.isCapReached()) {
                context.form().addError(messages().text(verifier.message(Verdict.TOO_MANY, NewPinForm.CURRENT_FIELD)));
            }
        }
        context.challenge(page());
    }

    private void choose() {
        context.getEvent().event(EventType.UPDATE_CREDENTIAL).detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE);
        NewPinForm form = new NewPinForm(context.getHttpRequest().getDecodedFormParameters());
        List<FormMessage> problems = form.problems(user, hasPin, length);
        if (!problems.isEmpty()) {
            reject(Errors.INVALID_INPUT, problems.get(0).getMessage(), problems);
            return;
        }
        // The current PIN is checked last, so that a mistake in the new one does not count as a guess.
        if (hasPin && !isCurrent(form.current())) {
            return;
        }
        PasswordCredentialModel pin = PinCredential.hash(session, context.getRealm(), form.pin());
        if (form.endsOtherSessions()) {
            AuthenticatorUtil.logoutOtherSessions(context);
        }
        // Hashing and the clients' logouts take long; what follows does not.
        step.requireCurrent(context.getEvent().clone());
        PinCredentialProvider.of(session).createCredential(context.getRealm(), user, pin);
        context.success();
    }

    private void deny(Denial denial) {
        errorEvent(denial.reason()).error(Errors.NOT_ALLOWED);
        context.challenge(
                context.form().setError(messages().text(denial.message())).createErrorPage(Response.Status.FORBIDDEN));
    }

    /** Whether the current PIN is correct. If it is not, the page says so. */
    private boolean isCurrent(String pin) {
        PinVerifier verifier = verifier();
        Verdict verdict = verifier.verify(pin);
        if (verdict == Verdict.RIGHT) {
            return true;
        }
        if (verdict == Verdict.WRONG) {
            BruteForceDetection.countFailure(session, user);
        }
        String reason = verdict == Verdict.TOO_MANY ? "pinTooManyFailures" : "pinInvalid";
        reject(verdict.error(), reason, List.of(verifier.message(verdict, NewPinForm.CURRENT_FIELD)));
        return false;
    }

    private PinVerifier verifier() {
        return new PinVerifier(session, user);
    }

    private void reject(String error, String reason, List<FormMessage> problems) {
        errorEvent(reason)
                .client(context.getAuthenticationSession().getClient())
                .error(error);
        problems.stream().map(messages()::text).forEach(context.form()::addError);
        context.challenge(page());
    }

    private EventBuilder errorEvent(String reason) {
        return context.getEvent()
                .clone()
                .event(EventType.UPDATE_CREDENTIAL_ERROR)
                .user(user)
                .detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE)
                .detail(Details.REASON, reason);
    }

    private OwnMessages messages() {
        return OwnMessages.of(session, Theme.Type.LOGIN, user);
    }

    private Response page() {
        return context.form()
                .setAttribute(OwnMessages.ATTRIBUTE, messages().method())
                .setAttribute("pinChange", hasPin)
                .setAttribute("pinLength", length)
                .setAttribute("pinMaxLength", PinConfig.LONGEST)
                .createForm("checktoken-configure-pin.ftl");
    }
}
