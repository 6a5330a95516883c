package io.github.checktoken.login.emailcode;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.UserModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.login.gate.CurrentStep;

/**
 * Handles one request at this step of a login: sends a code, or checks one. The user has a verified address, except
 * when credentials are reset: then the response is the same for a user who does not exist.
 */
final class EmailCodeStep {

    private final AuthenticationFlowContext context;
    private final UserModel user;
    private final EventBuilder event;
    private final EmailCodeConfig config;
    private final EmailCodeCounter counter;
    private final EmailCodePage page;
    private final EmailCodeDelivery delivery;
    private final EmailCode code;
    private final CurrentStep step;

    EmailCodeStep(AuthenticationFlowContext context) {
        this.context = context;
        this.user = context.getUser();
        this.event = context.getEvent().user(user);
        this.config = new EmailCodeConfig(context.getAuthenticatorConfig());
        this.counter = new EmailCodeCounter(context.getSession(), config);
        this.page = new EmailCodePage(context, config);
        this.delivery = new EmailCodeDelivery(context, config, counter, page);
        this.code = delivery.lastSent();
        this.step = new CurrentStep(context.getSession(), context.getAuthenticationSession(), user);
    }

    boolean hasSent() {
        return code != null;
    }

    void show() {
        context.challenge(page.show(code));
    }

    /** Shows a page with a button to request a code. */
    void offerCode() {
        context.challenge(page.offer());
    }

    void send() {
        delivery.send();
    }

    /** Sends a code that the user may not have requested, at most one an hour. Otherwise it only offers to send one. */
    void sendOnce() {
        if (counter.linkedCodes().take(user)) {
            delivery.sendUnlimited();
        } else {
            offerCode();
        }
    }

    void resend() {
        if (page.secondsToWait(code) > 0) {
            context.challenge(page.tooSoon(code));
        } else {
            send();
        }
    }

    /** @param entered may contain spaces; null or blank if the user has entered nothing */
    void check(String entered) {
        if (StringUtil.isBlank(entered)) {
            context.challenge(page.invalidInput(code, "emailCodeMissing"));
        } else if (!code.isVoid() && code.isExpired(config.lifespan())) {
            event.error(Errors.EXPIRED_CODE);
            context.challenge(page.show(code));
        } else {
            guess(digits(entered));
        }
    }

    /**
     * Takes a slot for each guess before it is compared, so that parallel requests to two nodes do not get more guesses
     * than others. (On one node, Keycloak mostly accepts only one of several requests from a page.) If brute force
     * detection has locked the user, the page is the same as for a wrong code.
     */
    private void guess(String digits) {
        AttemptLimit guesses = counter.guesses(code);
        if (code.isVoid() || !guesses.take(user)) {
            reject(Errors.INVALID_CODE, code.voided(), false);
            return;
        }
        String locked = user == null ? null : AuthenticatorUtils.getDisabledByBruteForceEventError(context, user);
        if (locked == null && code.matches(digits)) {
            step.requireCurrent(event);
            code.remove(context);
            counter.linkedCodes().clear(user);
            context.success(EmailCodeAuthenticatorFactory.METHOD);
            return;
        }
        EmailCode remaining = guesses.isReached(user) ? code.voided() : code;
        reject(locked == null ? Errors.INVALID_CODE : locked, remaining, locked == null && !code.isDecoy());
    }

    /**
     * @param remaining the code after this guess; void if no guess is left
     * @param isFailure whether brute force detection counts the guess, because it could have been correct
     */
    private void reject(String error, EmailCode remaining, boolean isFailure) {
        event.error(error);
        remaining.save(context);
        Response answer = remaining.isVoid() ? page.show(remaining) : page.invalidInput(remaining, "emailCodeWrong");
        if (isFailure) {
            context.failureChallenge(AuthenticationFlowError.INVALID_CREDENTIALS, answer);
        } else {
            context.forceChallenge(answer);
        }
    }

    /**
     * Accepts a code as users type and paste it: with spaces (123 456), with a full stop, in the digits of any script.
     */
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
