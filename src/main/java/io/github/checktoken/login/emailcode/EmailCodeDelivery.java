package io.github.checktoken.login.emailcode;

import java.time.Duration;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.email.EmailException;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.UserModel;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.telemetry.CheckTokenMetrics;
import io.github.checktoken.telemetry.OncePerMinute;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/** Sends a code if the limit allows it and the user has a verified address, and responds with the page. */
final class EmailCodeDelivery {

    private static final Logger logger = Logger.getLogger(EmailCodeDelivery.class);

    /** The realms whose mail server has failed. */
    private static final OncePerMinute LOGGED = new OncePerMinute();

    private final AuthenticationFlowContext context;
    private final UserModel user;
    private final EventBuilder event;
    private final EmailCodeConfig config;
    private final EmailCodeCounter counter;
    private final EmailCodePage page;

    /** Whether the response must be the same for a user who does not exist. */
    private final boolean neutral;

    EmailCodeDelivery(
            AuthenticationFlowContext context, EmailCodeConfig config, EmailCodeCounter counter, EmailCodePage page) {
        this.context = context;
        this.user = context.getUser();
        this.event = context.getEvent();
        this.config = config;
        this.counter = counter;
        this.page = page;
        this.neutral = new LoginRequest(context).isResetCredentials();
    }

    /** @return the code that this step last sent, or a decoy if it only seemed to send one; null if neither */
    EmailCode lastSent() {
        return EmailCode.load(context, address());
    }

    /** Sends a code if the user's hourly limit allows another one. */
    void send() {
        AttemptLimit limit = counter.codes(neutral);
        if (address().isEmpty() || limit.take(user)) {
            sendUnlimited();
            return;
        }
        event.detail(Details.REASON, "codes per hour").error(Errors.SLOW_DOWN);
        if (neutral) {
            saveAndShow(EmailCode.decoy(address()));
        } else {
            context.challenge(page.notSent(lastSent(), "emailCodeLimit"));
        }
    }

    /**
     * Sends a code without asking for a slot of the limit. A slot that the caller has taken stays taken even if sending
     * fails, because the e-mail may have arrived nevertheless.
     */
    void sendUnlimited() {
        if (address().isEmpty()) {
            if (user != null) {
                event.error(Errors.INVALID_EMAIL);
            }
            saveAndShow(EmailCode.decoy(address()));
            return;
        }
        String digits = EmailCode.randomDigits(config.length());
        String realm = context.getRealm().getName();
        long start = System.nanoTime();
        String outcome = "failure";
        try {
            new EmailCodeMail(context).send(digits, config.lifespan());
            outcome = "success";
        } catch (EmailException e) {
            // The exception is not logged, because it may contain the address. Keycloak logs the mail server's reply.
            if (LOGGED.isDue(context.getRealm().getId())) {
                logger.warnf(
                        "No e-mail code could be sent in realm %s: check Realm settings > Email",
                        SingleLineText.of(realm));
            }
            event.error(Errors.EMAIL_SEND_FAILED);
            if (!neutral) {
                context.challenge(page.notSent(lastSent(), "emailCodeNotSent"));
                return;
            }
        } finally {
            CheckTokenMetrics.mailed(realm, outcome, Duration.ofNanos(System.nanoTime() - start));
        }
        // Created after sending, because the page shows the seconds to wait: the time that sending took must not reveal
        // whether an e-mail was sent.
        saveAndShow(EmailCode.of(digits, address()));
    }

    private void saveAndShow(EmailCode sent) {
        boolean first = lastSent() == null;
        sent.save(context);
        context.challenge(first ? page.show(sent) : page.sentAgain(sent));
    }

    /** @return the verified address; empty if there is none */
    private String address() {
        return EmailCodeAuthenticator.hasVerifiedAddress(user) ? user.getEmail() : "";
    }
}
