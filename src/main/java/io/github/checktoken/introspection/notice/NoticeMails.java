package io.github.checktoken.introspection.notice;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.email.EmailException;
import org.keycloak.email.EmailTemplateProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.theme.Theme;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.telemetry.FailureTracker;
import io.github.checktoken.text.OwnMessages;
import io.github.checktoken.text.RealmWithSafeName;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * The mails of one run of {@link NoticeTask}. Keycloak's timer has one thread for all its tasks, so a run sends only a
 * few mails, and none after a failure of the realm's mail server. The next run goes on.
 */
final class NoticeMails {

    private static final Logger logger = Logger.getLogger(NoticeMails.class);

    private static final int MAX_MAILS = 50;

    private final FailureTracker failures;
    private final Set<String> failedRealms = new HashSet<>();
    private int sent;

    /** @param failures the realms whose mail server failed in an earlier run, by id */
    NoticeMails(FailureTracker failures) {
        this.failures = failures;
    }

    /**
     * Sends a mail in the language of the realm.
     *
     * @param limit takes the client's id, for which it allows a mail now and then
     */
    void send(KeycloakSession session, ClientModel client, String address, Notice notice, AttemptLimit limit) {
        RealmModel realm = client.getRealm();
        if (sent == MAX_MAILS || failedRealms.contains(realm.getId()) || !limit.take(client.getId())) {
            return;
        }
        try {
            deliver(session, client, address, notice);
            sent++;
            failures.recordSuccess(realm.getId());
        } catch (EmailException e) {
            limit.free(client.getId());
            failedRealms.add(realm.getId());
            // The exception is not logged, because it may contain the address. Keycloak logs the mail server's reply.
            if (failures.recordFailure(realm.getId())) {
                logger.warnf(
                        "No notice could be mailed in realm %s: check Realm settings > Email",
                        SingleLineText.of(realm.getName()));
            }
        }
    }

    private static void deliver(KeycloakSession session, ClientModel client, String address, Notice notice)
            throws EmailException {
        UserModel recipient = recipient(session, client.getRealm(), address);
        DataProviderName name = DataProviderName.of(session, client, recipient);
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("dataProvider", name.withClientId());
        attributes.put("notice", notice.kind().text());
        attributes.put("detail", notice.detail());
        OwnMessages messages = OwnMessages.of(session, Theme.Type.EMAIL, recipient);
        attributes.put(OwnMessages.ATTRIBUTE, messages.method());
        session.getProvider(EmailTemplateProvider.class)
                .setRealm(new RealmWithSafeName(
                        client.getRealm(), client.getRealm().getDisplayName()))
                .setUser(recipient)
                .send(
                        "{0}",
                        List.of(messages.text(notice.kind().text() + "Subject", name.shown())),
                        "checktoken-data-provider-notice.ftl",
                        attributes);
    }

    /** Keycloak's templates need a user. Keycloak 26.5 cannot send to a bare address. */
    private static UserModel recipient(KeycloakSession session, RealmModel realm, String address) {
        UserModel user = new LightweightUserAdapter(session, realm, null);
        user.setSingleAttribute(UserModel.EMAIL, address);
        return user;
    }
}
