package io.github.checktoken.emailcode;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.UserModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.limit.AttemptLimit;

/**
 * One request at this step of a login: sends a code, or checks one. The person has a verified address, except where
 * credentials are reset: there everything runs and reads the same for somebody whom nobody knows.
 */
final class EmailCodeStep {

    private final AuthenticationFlowContext context;
    private final UserModel user;
    private final EventBuilder event;
    private final EmailCodeConfig config;
    private final EmailCodeLimits limits;
    private final EmailCodePage page;
    private final EmailCodeDelivery delivery;
    private final EmailCode code;

    EmailCodeStep(AuthenticationFlowContext context) {
        this.context = context;
        this.user = context.getUser();
        this.event = context.getEvent().user(user);
        this.config = new EmailCodeConfig(context.getAuthenticatorConfig());
        this.limits = new EmailCodeLimits(context.getSession(), config);
        this.page = new EmailCodePage(context, config);
        this.delivery = new EmailCodeDelivery(context, config, limits, page);
        this.code = delivery.last();
    }

    boolean hasSent() {
        return code != null;
    }

    void show() {
        context.challenge(page.of(code));
    }

    /** Sends nothing until the person asks. */
    void offer() {
        context.challenge(page.offer());
    }

    void send() {
        delivery.send();
    }

    void sendOnce() {
        if (limits.linked().take(user)) {
            delivery.mail();
        } else {
            offer();
        }
    }

    void resend() {
        if (page.secondsToWait(code) > 0) {
            context.challenge(page.tooSoon(code));
        } else {
            send();
        }
    }

    /** @param entered with or without spaces, null or blank if nothing */
    void check(String entered) {
        if (StringUtil.isBlank(entered)) {
            context.challenge(page.refused(code, "emailCodeMissing"));
        } else if (!code.isVoid() && code.isExpired(config.lifespan())) {
            event.error(Errors.EXPIRED_CODE);
            context.challenge(page.of(code));
        } else {
            guess(digits(entered));
        }
    }

    /**
     * Every guess takes a slot before it is compared, so that requests at the same time, to two nodes, have no more
     * guesses than others. (On one node Keycloak mostly lets one request of a page through.) A person whom the brute-force
     * protection has locked reads the same as one whose code was wrong.
     */
    private void guess(String digits) {
        AttemptLimit guesses = limits.guesses(code);
        if (code.isVoid() || !guesses.take(user)) {
            refuse(Errors.INVALID_CODE, code.voided(), false);
            return;
        }
        String locked = user == null ? null : AuthenticatorUtils.getDisabledByBruteForceEventError(context, user);
        if (locked == null && code.matches(digits)) {
            code.forget(context);
            limits.linked().clear(user);
            context.success(EmailCodeAuthenticatorFactory.METHOD);
            return;
        }
        EmailCode left = guesses.isReached(user) ? code.voided() : code;
        refuse(locked == null ? Errors.INVALID_CODE : locked, left, locked == null && !code.isDecoy());
    }

    /** @param counts for the brute-force protection: a guess that could have been right */
    private void refuse(String error, EmailCode left, boolean counts) {
        event.error(error);
        left.save(context);
        Response answer = left.isVoid() ? page.of(left) : page.refused(left, "emailCodeWrong");
        if (counts) {
            context.failureChallenge(AuthenticationFlowError.INVALID_CREDENTIALS, answer);
        } else {
            context.forceChallenge(answer);
        }
    }

    /** As people type and paste them: 123 456, or with a full stop; in the digits of any script. */
    private static String digits(String entered) {
        return entered.codePoints()
                .filter(Character::isDigit)
                .collect(
                        StringBuilder::new,
                        (digits, digit) -> digits.append(Character.digit(digit, 10)),
                        StringBuilder::append)
                .toString();
    }
}
