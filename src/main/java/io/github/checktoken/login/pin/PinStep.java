package io.github.checktoken.login.pin;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.events.Details;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.theme.Theme;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.login.gate.CurrentStep;
import io.github.checktoken.login.pin.PinVerifier.Verdict;
import io.github.checktoken.text.OwnMessages;

/** Handles one request at this step of a login: asks for the PIN, or checks it. */
final class PinStep {

    private static final String FIELD = "pin";

    private final AuthenticationFlowContext context;
    private final CurrentStep step;
    private final PinVerifier verifier;

    PinStep(AuthenticationFlowContext context) {
        this.context = context;
        this.step = new CurrentStep(context.getSession(), context.getAuthenticationSession(), context.getUser());
        this.verifier = new PinVerifier(context.getSession(), context.getUser());
    }

    void begin() {
        context.challenge(page(verifier.isCapReached() ? verifier.message(Verdict.TOO_MANY, FIELD) : null));
    }

    /** Handles the page's form. */
    void submit() {
        context.getEvent().user(context.getUser()).detail(Details.CREDENTIAL_TYPE, PinCredential.TYPE);
        String pin = context.getHttpRequest().getDecodedFormParameters().getFirst(FIELD);
        if (StringUtil.isBlank(pin)) {
            context.challenge(page(new FormMessage(FIELD, "pinMissing")));
            return;
        }
        Verdict verdict = verifier.verify(pin);
        if (verdict == Verdict.RIGHT) {
            step.requireCurrent(context.getEvent());
            context.success(PinCredential.TYPE);
        } else {
            reject(verdict);
        }
    }

    private void reject(Verdict verdict) {
        context.getEvent().error(verdict.error());
        Response page = page(verifier.message(verdict, FIELD));
        if (verdict == Verdict.WRONG) {
            context.failureChallenge(AuthenticationFlowError.INVALID_CREDENTIALS, page);
        } else {
            // No PIN was checked, so Keycloak's brute force detection counts nothing.
            context.forceChallenge(page);
        }
    }

    /** @param error null if there is none; an error without a field concerns the whole page */
    private Response page(FormMessage error) {
        OwnMessages messages = OwnMessages.of(context.getSession(), Theme.Type.LOGIN, context.getUser());
        if (error != null) {
            context.form().addError(messages.text(error));
        }
        return context.form()
                .setAttribute(OwnMessages.ATTRIBUTE, messages.method())
                .createForm("checktoken-login-pin.ftl");
    }
}
