package io.github.checktoken.emailcode;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.email.EmailException;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.UserModel;

import io.github.checktoken.limit.AttemptLimit;
import org.jboss.logging.Logger;

/** Sends a code, if there are codes left and somebody to send it to, and answers with the page. */
final class EmailCodeDelivery {

    private static final Logger logger = Logger.getLogger(EmailCodeDelivery.class);

    private final AuthenticationFlowContext context;
    private final UserModel user;
    private final EventBuilder event;
    private final EmailCodeConfig config;
    private final EmailCodeLimits limits;
    private final EmailCodePage page;
    private final boolean neutral;

    EmailCodeDelivery(
            AuthenticationFlowContext context, EmailCodeConfig config, EmailCodeLimits limits, EmailCodePage page) {
        this.context = context;
        this.user = context.getUser();
        this.event = context.getEvent();
        this.config = config;
        this.limits = limits;
        this.page = page;
        this.neutral = new LoginRequest(context).isResetCredentials();
    }

    /** @return the code that this step last sent, or seemed to send; null if none */
    EmailCode last() {
        return EmailCode.load(context, address());
    }

    /** As often as the person may ask for a code. */
    void send() {
        AttemptLimit limit = neutral ? limits.reset() : limits.asked();
        if (address().isEmpty() || limit.take(user)) {
            mail();
            return;
        }
        event.detail(Details.REASON, "codes per hour").error(Errors.SLOW_DOWN);
        if (neutral) {
            answer(EmailCode.decoy(address()));
        } else {
            context.challenge(page.notSent(last(), "emailCodeLimit"));
        }
    }

    /** An e-mail that could not be sent counts as well: nobody knows whether it did not arrive. */
    void mail() {
        if (address().isEmpty()) {
            if (user != null) {
                event.error(Errors.INVALID_EMAIL);
            }
            answer(EmailCode.decoy(address()));
            return;
        }
        String digits = EmailCode.random(config.length());
        try {
            new EmailCodeMail(context).send(digits, config.lifespan());
        } catch (EmailException e) {
            // Not the exception: it may name the address, and Keycloak logs what the mail server said.
            logger.warnf(
                    "No e-mail code could be sent in realm %s: check Realm settings > Email",
                    context.getRealm().getName());
            event.error(Errors.EMAIL_SEND_FAILED);
            if (!neutral) {
                context.challenge(page.notSent(last(), "emailCodeNotSent"));
                return;
            }
        }
        // Made only now, because the page counts the seconds since: with a mail as many as without one.
        answer(EmailCode.of(digits, address()));
    }

    private void answer(EmailCode sent) {
        boolean first = last() == null;
        sent.save(context);
        context.challenge(first ? page.of(sent) : page.sentAnew(sent));
    }

    private String address() {
        return EmailCodeAuthenticator.hasAddress(user) ? user.getEmail() : "";
    }
}
