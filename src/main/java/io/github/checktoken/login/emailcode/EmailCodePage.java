package io.github.checktoken.login.emailcode;

import java.util.function.BooleanSupplier;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.theme.Theme;

import io.github.checktoken.text.OwnMessages;

/**
 * The page that asks for the code, with a button to request a new one. It has the input field only while a code can be
 * entered. When credentials are reset, the page reveals nothing about the user, not even by its language.
 *
 * @param neutral whether the page must be the same for a user who does not exist
 * @param spent whether the user's hourly limit allows no further code; always false on a neutral page
 */
record EmailCodePage(
        AuthenticationFlowContext context, boolean neutral, EmailCodeConfig config, BooleanSupplier spent) {

    static final String CODE = "code";
    static final String RESEND = "resend";

    private static final String TEMPLATE = "checktoken-email-code.ftl";
    private static final String HIDDEN_PART = "•••";

    /** Asks for this code, or says why it can no longer be used. */
    Response show(EmailCode code) {
        LoginFormsProvider form = context.form();
        if (code.isVoid()) {
            form.setError(text("emailCodeVoid"));
        } else if (code.isExpired(config.lifespan())) {
            form.setError(text("emailCodeExpired"));
        }
        return render(form, code);
    }

    /** Says next to the field what is wrong with the input. */
    Response invalidInput(EmailCode code, String message) {
        return render(context.form().addError(new FormMessage(CODE, text(message))), code);
    }

    Response sentAgain(EmailCode code) {
        return render(
                context.form().setSuccess(text(neutral ? "emailCodeSentAnewNeutral" : "emailCodeSentAnew")), code);
    }

    Response tooSoon(EmailCode code) {
        return render(context.form().setInfo(text("emailCodeTooSoon")), code);
    }

    /** @param code the previous code, which remains usable; null if there is none */
    Response notSent(EmailCode code, String message) {
        return render(context.form().setError(text(message)), code);
    }

    /** Says that no code was sent, and how to request one. */
    Response offer() {
        return render(context.form().setInfo(text("emailCodeOffer")), null);
    }

    /**
     * Says why no code can be sent, and offers another way to sign in, or a restart of the login.
     *
     * @param otherWay whether there is another way
     */
    Response noVerifiedAddress(boolean otherWay) {
        return context.form()
                .setError(text(otherWay ? "emailCodeNoAddressOtherWay" : "emailCodeNoAddress"))
                .setAttribute(OwnMessages.ATTRIBUTE, messages().method())
                .setAttribute("emailCodeButton", "")
                .createForm(TEMPLATE);
    }

    private Response render(LoginFormsProvider form, EmailCode code) {
        if (neutral) {
            form.setUser(null);
        }
        return form.setAttribute(OwnMessages.ATTRIBUTE, messages().method())
                .setAttribute("emailCodeOpen", code != null && !code.isVoid() && !code.isExpired(config.lifespan()))
                .setAttribute("emailCodeNeutral", neutral)
                .setAttribute("emailCodeAddress", code == null || neutral ? "" : masked(code.address()))
                .setAttribute("emailCodeWait", code == null ? 0 : code.secondsToWait(config.resendWait()))
                .setAttribute("emailCodeSpent", spent.getAsBoolean())
                .setAttribute("emailCodeButton", code == null ? "emailCodeSend" : "emailCodeResend")
                .createForm(TEMPLATE);
    }

    private String text(String key) {
        return messages().text(key);
    }

    private OwnMessages messages() {
        return OwnMessages.of(context.getSession(), Theme.Type.LOGIN, neutral ? null : context.getUser());
    }

    /**
     * Keeps the first character and the domain. Three dots replace the rest, so that its length is not revealed either.
     */
    static String masked(String address) {
        int at = address.lastIndexOf('@');
        if (at < 1) {
            return HIDDEN_PART;
        }
        return Character.toString(address.codePointAt(0)) + HIDDEN_PART + address.substring(at);
    }
}
