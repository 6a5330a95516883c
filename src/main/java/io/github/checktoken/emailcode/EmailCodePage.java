package io.github.checktoken.emailcode;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.common.util.Time;
import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.utils.FormMessage;

/**
 * The page that asks for the code. It has the field only while there is a code to enter; a new one can always be asked for.
 * Where credentials are reset it tells nothing of the person, not even by its language.
 */
final class EmailCodePage {

    static final String CODE = "code";
    static final String RESEND = "resend";

    private static final String TEMPLATE = "email-code.ftl";
    private static final String HIDDEN_PART = "•••";

    private final AuthenticationFlowContext context;
    private final EmailCodeConfig config;
    private final boolean neutral;

    EmailCodePage(AuthenticationFlowContext context, EmailCodeConfig config) {
        this.context = context;
        this.config = config;
        this.neutral = new LoginRequest(context).isResetCredentials();
    }

    /** Asks for this code, or says why it no longer counts. */
    Response of(EmailCode code) {
        LoginFormsProvider form = context.form();
        if (code.isVoid()) {
            form.setError("emailCodeVoid");
        } else if (code.isExpired(config.lifespan())) {
            form.setError("emailCodeExpired");
        }
        return render(form, code);
    }

    /** Says what is wrong with what was entered, next to the field. */
    Response refused(EmailCode code, String message) {
        return render(context.form().addError(new FormMessage(CODE, message)), code);
    }

    Response sentAnew(EmailCode code) {
        return render(context.form().setSuccess(neutral ? "emailCodeSentAnewNeutral" : "emailCodeSentAnew"), code);
    }

    Response tooSoon(EmailCode code) {
        return render(context.form().setInfo("emailCodeTooSoon"), code);
    }

    /** @param code the one before, which still counts; null if there is none */
    Response notSent(EmailCode code, String message) {
        return render(context.form().setError(message), code);
    }

    /** Says that no code was sent, and how to get one. */
    Response offer() {
        return render(context.form().setInfo("emailCodeOffer"), null);
    }

    /** Says why there is no code, and leaves the ways that there are: another one, or back to the start. */
    static Response noVerifiedAddress(AuthenticationFlowContext context) {
        boolean onlyWay = context.getAuthenticationSelections().size() < 2;
        return context.form()
                .setError(onlyWay ? "emailCodeNoAddress" : "emailCodeNoAddressOtherWay")
                .setAttribute("emailCodeButton", "")
                .createForm(TEMPLATE);
    }

    private Response render(LoginFormsProvider form, EmailCode code) {
        if (neutral) {
            form.setUser(null);
        }
        return form.setAttribute("emailCodeOpen", code != null && !code.isVoid() && !code.isExpired(config.lifespan()))
                .setAttribute("emailCodeNeutral", neutral)
                .setAttribute("emailCodeAddress", code == null || neutral ? "" : masked(code.address()))
                .setAttribute("emailCodeWait", secondsToWait(code))
                .setAttribute("emailCodeButton", code == null ? "emailCodeSend" : "emailCodeResend")
                .createForm(TEMPLATE);
    }

    /** Until a new code may be asked for. */
    int secondsToWait(EmailCode code) {
        return code == null ? 0 : Math.max(0, code.sentAt() + config.resendWait() - Time.currentTime());
    }

    /** First character and domain. The rest is three dots however long it is, so that not even the length is told. */
    static String masked(String address) {
        int at = address.lastIndexOf('@');
        if (at < 1) {
            return HIDDEN_PART;
        }
        return Character.toString(address.codePointAt(0)) + HIDDEN_PART + address.substring(at);
    }
}
