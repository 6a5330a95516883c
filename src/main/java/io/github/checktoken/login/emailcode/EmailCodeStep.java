package io.github.checktoken.login.emailcode;

import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.UserModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.login.gate.CurrentStep;

/** Handles one request at this step of a login: sends a code, or checks one. */
final class EmailCodeStep {

    private final AuthenticationFlowContext context;
    private final UserModel user;
    private final String userId;
    private final LoginRequest request;
    private final EmailCodeConfig config;
    private final EmailCodeCounter counter;
    private final EmailCodePage page;
    private final CurrentStep step;

    /** Whether credentials are reset: then the response must be the same for a user who does not exist. */
    private final boolean neutral;

    /** The user's verified address; empty if there is none. */
    private final String address;

    /** The code that this step last sent, or a decoy if it only seemed to send one; null if neither. */
    private final EmailCode code;

    EmailCodeStep(AuthenticationFlowContext context) {
        this.context = context;
        this.user = context.getUser();
        this.userId = user == null ? "" : user.getId();
        this.request = new LoginRequest(context);
        this.config = EmailCodeConfig.of(context.getAuthenticatorConfig());
        this.counter = new EmailCodeCounter(context.getSession(), config);
        this.neutral = request.isResetCredentials();
        this.page = new EmailCodePage(context, neutral, config, () -> counter.isSpent(neutral, userId));
        this.step = new CurrentStep(context.getSession(), context.getAuthenticationSession(), user);
        this.address = EmailCodeAuthenticator.hasVerifiedAddress(user) ? user.getEmail() : "";
        this.code = EmailCode.load(context, address);
    }

    /** Sends a code the first time only, and not if the user reloads the page or returns to it. */
    void begin() {
        if (!neutral && address.isEmpty()) {
            new MissingAddress(context, request).respond(page);
        } else if (!request.isOnLoginPages()) {
            context.forceChallenge(request.redirectToLoginPages());
        } else if (code != null) {
            context.challenge(page.show(code));
        } else if (request.isFormOfLoginPages()) {
            sendCounted();
        } else if (!request.isForwardedPassiveLogin() && counter.linkedCodes().take(userId)) {
            send();
        } else {
            context.challenge(page.offer());
        }
    }

    /** Handles the page's form: the user has entered a code, or requests a new one. */
    void submit() {
        MultivaluedMap<String, String> form = context.getHttpRequest().getDecodedFormParameters();
        boolean resend = form.containsKey(EmailCodePage.RESEND);
        if (!neutral && address.isEmpty()) {
            new MissingAddress(context, request).respond(page);
        } else if (resend && code != null && code.secondsToWait(config.resendWait()) > 0) {
            context.challenge(page.tooSoon(code));
        } else if (resend || code == null) {
            sendCounted();
        } else {
            check(form.getFirst(EmailCodePage.CODE));
        }
    }

    /** Sends a code if the user's hourly limit allows another one. */
    private void sendCounted() {
        if (address.isEmpty() || counter.codes(neutral).take(userId)) {
            send();
            return;
        }
        event().detail(Details.REASON, "codes per hour").error(Errors.SLOW_DOWN);
        if (neutral) {
            saveAndShow(EmailCode.decoy(address));
        } else {
            context.challenge(page.notSent(code, "emailCodeLimit"));
        }
    }

    /** If sending fails, the code stays counted, because the e-mail may have arrived nevertheless. */
    private void send() {
        if (address.isEmpty()) {
            if (user != null) {
                event().error(Errors.INVALID_EMAIL);
            }
            saveAndShow(EmailCode.decoy(address));
            return;
        }
        String digits = EmailCode.randomDigits(config.length());
        boolean sent = new EmailCodeMail(context).send(digits, config.lifespan(), neutral);
        if (!sent) {
            event().error(Errors.EMAIL_SEND_FAILED);
        }
        if (sent || neutral) {
            // Created after sending, because the page shows the seconds to wait: the time that sending took must not
            // reveal whether an e-mail was sent.
            saveAndShow(EmailCode.of(digits, address));
        } else {
            context.challenge(page.notSent(code, "emailCodeNotSent"));
        }
    }

    private void saveAndShow(EmailCode sent) {
        sent.save(context);
        context.challenge(code == null ? page.show(sent) : page.sentAgain(sent));
    }

    /** @param entered null or blank if the user has entered nothing */
    private void check(String entered) {
        if (StringUtil.isBlank(entered)) {
            context.challenge(page.invalidInput(code, "emailCodeMissing"));
        } else if (!code.isVoid() && code.isExpired(config.lifespan())) {
            event().error(Errors.EXPIRED_CODE);
            context.challenge(page.show(code));
        } else {
            guess(EmailCode.digits(entered));
        }
    }

    /**
     * Takes a slot for each guess before it is compared, so that parallel requests to two nodes do not get more guesses
     * than others. If brute force detection has locked the user, the page is the same as for a wrong code.
     */
    private void guess(String digits) {
        AttemptLimit guesses = counter.guesses(code);
        if (code.isVoid() || !guesses.take(userId)) {
            reject(Errors.INVALID_CODE, code.voided(), false);
            return;
        }
        String locked = user == null ? null : AuthenticatorUtils.getDisabledByBruteForceEventError(context, user);
        if (locked == null && code.matches(digits)) {
            counter.linkedCodes().free(userId);
            step.requireCurrent(event());
            code.remove(context);
            context.success(EmailCodeAuthenticator.METHOD);
            return;
        }
        EmailCode remaining = guesses.isReached(userId) ? code.voided() : code;
        reject(locked == null ? Errors.INVALID_CODE : locked, remaining, locked == null && !code.isDecoy());
    }

    /**
     * @param remaining the code after this guess; void if no guess is left
     * @param isFailure whether brute force detection counts the guess, because it could have been correct
     */
    private void reject(String error, EmailCode remaining, boolean isFailure) {
        event().error(error);
        remaining.save(context);
        Response answer = remaining.isVoid() ? page.show(remaining) : page.invalidInput(remaining, "emailCodeWrong");
        if (isFailure) {
            context.failureChallenge(AuthenticationFlowError.INVALID_CREDENTIALS, answer);
        } else {
            context.forceChallenge(answer);
        }
    }

    private EventBuilder event() {
        return context.getEvent().user(user);
    }
}
