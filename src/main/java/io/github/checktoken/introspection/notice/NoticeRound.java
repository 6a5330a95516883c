package io.github.checktoken.introspection.notice;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider.KnownDataProvider;
import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.telemetry.NoticeGauge;

/**
 * One run of {@link NoticeTask}: counts the notices for a meter, and tells each in an event and a mail. Of all nodes, one
 * writes the event and one sends the mail, once a day.
 */
final class NoticeRound {

    private static final int DAY_SECONDS = (int) Duration.ofDays(1).toSeconds();

    private final Duration keyFailure;
    private final NoticeMails mails;
    private final Map<NoticeGauge.Group, Integer> counts = new HashMap<>();

    NoticeRound(Duration keyFailure, NoticeMails mails) {
        this.keyFailure = keyFailure;
        this.mails = mails;
    }

    void visit(KeycloakSession session, KnownDataProvider known) {
        RealmModel realm = session.realms().getRealm(known.realmId());
        ClientModel client = realm == null ? null : realm.getClientById(known.clientUuid());
        if (client != null && realm.isEnabled() && client.isEnabled()) {
            session.getContext().setRealm(realm);
            DataProvider.of(client)
                    .ifPresent(dataProvider -> Notice.of(session, dataProvider, keyFailure)
                            .forEach(notice -> tell(session, dataProvider, notice)));
        }
    }

    private void tell(KeycloakSession session, DataProvider dataProvider, Notice notice) {
        ClientModel client = dataProvider.client();
        String error = notice.kind().error();
        counts.merge(new NoticeGauge.Group(client.getRealm().getName(), error), 1, Integer::sum);
        if (onceADay(session, error + " event").take(client.getId())) {
            record(session, client, notice);
        }
        AttemptLimit mailLimit = onceADay(session, error + " mail");
        dataProvider
                .config()
                .contactAddress()
                .ifPresent(address -> mails.send(session, client, address, notice, mailLimit));
    }

    /** A realm that saves the calls that failed saves this type. */
    private static void record(KeycloakSession session, ClientModel client, Notice notice) {
        new EventBuilder(client.getRealm(), session)
                .event(EventType.INTROSPECT_TOKEN_ERROR)
                .client(client)
                .detail(Details.REASON, notice.detail())
                .error(notice.kind().error());
    }

    private static AttemptLimit onceADay(KeycloakSession session, String what) {
        return new AttemptLimit(session, "notice " + what, 1, DAY_SECONDS);
    }

    void end() {
        NoticeGauge.set(counts);
    }
}
