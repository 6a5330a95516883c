package io.github.checktoken.login.emailcode;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.email.EmailException;
import org.keycloak.email.EmailTemplateProvider;
import org.keycloak.models.RealmModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.telemetry.CheckTokenTimer;
import io.github.checktoken.telemetry.LogInterval;
import io.github.checktoken.text.ClientName;
import io.github.checktoken.text.OwnMessages;
import io.github.checktoken.text.RealmWithSafeName;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/** The e-mail that contains a code, in the user's language. */
record EmailCodeMail(AuthenticationFlowContext context) {

    private static final Logger logger = Logger.getLogger(EmailCodeMail.class);

    /** The realms whose mail server has failed. */
    private static final LogInterval LOGGED = new LogInterval(Duration.ofMinutes(1));

    private static final int SECONDS_A_MINUTE = 60;

    /**
     * Sends the e-mail to the user's address.
     *
     * @param lifespan of the code, in seconds
     * @param reset whether the code is to reset credentials
     * @return whether the mail server has accepted it
     */
    boolean send(String digits, int lifespan, boolean reset) {
        RealmModel realm = context.getRealm();
        long start = System.nanoTime();
        boolean sent = false;
        try {
            deliver(digits, lifespan, reset);
            sent = true;
            return true;
        } catch (EmailException e) {
            // The exception is not logged, because it may contain the address. Keycloak logs the mail server's reply.
            if (LOGGED.isDue(realm.getId())) {
                logger.warnf(
                        "No e-mail code could be sent in realm %s: check Realm settings > Email",
                        SingleLineText.of(realm.getName()));
            }
            return false;
        } finally {
            CheckTokenTimer.CODE_MAILS.record(realm.getName(), sent, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private void deliver(String digits, int lifespan, boolean reset) throws EmailException {
        String displayName = Objects.requireNonNullElse(context.getRealm().getDisplayName(), "");
        OwnMessages messages = OwnMessages.of(context.getSession(), Theme.Type.EMAIL, context.getUser());
        // In the user's language if the realm has a text for it.
        RealmModel realm = new RealmWithSafeName(context.getRealm(), messages.text("realmDisplayName", displayName));
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("code", digits);
        // Without a name it stays empty, because a client_id says nothing to people.
        attributes.put(
                "service",
                ClientName.of(
                        context.getSession(), context.getAuthenticationSession().getClient(), context.getUser()));
        attributes.put("minutes", Math.max(1, lifespan / SECONDS_A_MINUTE));
        attributes.put("reset", reset);
        attributes.put(OwnMessages.ATTRIBUTE, messages.method());
        context.getSession()
                .getProvider(EmailTemplateProvider.class)
                .setRealm(realm)
                .setUser(context.getUser())
                .setAuthenticationSession(context.getAuthenticationSession())
                .send(
                        "{0}",
                        List.of(messages.text(
                                reset ? "emailCodeResetMailSubject" : "emailCodeMailSubject", realm.getDisplayName())),
                        "checktoken-email-code.ftl",
                        attributes);
    }
}
