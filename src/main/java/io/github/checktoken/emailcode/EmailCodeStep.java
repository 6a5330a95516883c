package io.github.checktoken.emailcode;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.authenticators.util.AuthenticatorUtils;
import org.keycloak.email.EmailException;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.UserModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.limit.PersonLimit;
import io.github.checktoken.method.AuthenticationMethod;
import org.jboss.logging.Logger;

/** One request of a person who has a verified address: sends a code, or checks one. */
final class EmailCodeStep {

    private static final Logger logger = Logger.getLogger(EmailCodeStep.class);

    private static final int HOUR_SECONDS = 3600;

    private final AuthenticationFlowContext context;
    private final UserModel person;
    private final EventBuilder event;
    private final EmailCodeConfig config;
    private final EmailCodePage page;
    private final EmailCode code;

    EmailCodeStep(AuthenticationFlowContext context) {
        this.context = context;
        this.person = context.getUser();
        this.event = context.getEvent().user(person);
        this.config = new EmailCodeConfig(context.getAuthenticatorConfig());
        this.page = new EmailCodePage(context, config);
        this.code = EmailCode.load(context);
    }

    boolean hasSent() {
        return code != null;
    }

    void show() {
        context.challenge(page.of(code));
    }

    void resend() {
        if (page.secondsToWait(code) > 0) {
            context.challenge(page.tooSoon(code));
        } else {
            send();
        }
    }

    /** An e-mail that could not be sent counts as well: nobody knows whether it did not arrive. */
    void send() {
        if (!limit("sent", config.maxCodesPerHour(), HOUR_SECONDS).take(person)) {
            event.detail(Details.REASON, "codes per hour").error(Errors.SLOW_DOWN);
            context.challenge(page.notSent(code, "emailCodeLimit"));
            return;
        }
        String digits = EmailCode.random(config.length());
        EmailCode sent = EmailCode.of(digits, person.getEmail());
        try {
            new EmailCodeMail(context).send(digits, config.lifespan());
        } catch (EmailException e) {
            // Not the exception: it may name the address, and Keycloak logs what the mail server said.
            logger.warnf(
                    "No e-mail code could be sent in realm %s: check Realm settings > Email",
                    context.getRealm().getName());
            event.error(Errors.EMAIL_SEND_FAILED);
            context.challenge(page.notSent(code, "emailCodeNotSent"));
            return;
        }
        sent.save(context);
        context.challenge(code == null ? page.of(sent) : page.sentAnew(sent));
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
        PersonLimit guesses = limit("guess:" + code.salt(), config.maxAttempts(), config.lifespan());
        boolean right = !code.isVoid() && guesses.take(person) && code.matches(digits);
        String locked = AuthenticatorUtils.getDisabledByBruteForceEventError(context, person);
        if (right && locked == null) {
            code.forget(context);
            context.success(AuthenticationMethod.MAIL.value());
            return;
        }
        event.error(locked == null ? Errors.INVALID_CODE : locked);
        EmailCode left = guesses.isReached(person) ? code.voided() : code;
        left.save(context);
        if (locked == null) {
            context.failureChallenge(AuthenticationFlowError.INVALID_CREDENTIALS, answer(left));
        } else {
            context.forceChallenge(answer(left));
        }
    }

    private Response answer(EmailCode left) {
        return left.isVoid() ? page.of(left) : page.refused(left, "emailCodeWrong");
    }

    private PersonLimit limit(String name, int most, int seconds) {
        return new PersonLimit(context.getSession(), "email-code-" + name, most, seconds);
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
