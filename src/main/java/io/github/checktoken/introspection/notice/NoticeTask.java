package io.github.checktoken.introspection.notice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.utils.KeycloakModelUtils;
import org.keycloak.models.utils.PostMigrationEvent;
import org.keycloak.timer.ScheduledTask;
import org.keycloak.timer.TimerProvider;

import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider.KnownDataProvider;
import io.github.checktoken.telemetry.FailureTracker;

/**
 * Tells, before calls fail, which data provider has to act. Each node runs it now and then on Keycloak's timer, and
 * looks only at the data providers that it knows from their calls. So no call does anything for it, or waits for it.
 */
public final class NoticeTask implements ScheduledTask {

    private final NoticeConfig config;

    /** The realms whose mail server has failed, by id. */
    private final FailureTracker mailFailures = new FailureTracker();

    private NoticeTask(NoticeConfig config) {
        this.config = config;
    }

    /** Begins when the server has started: before that, the database may not be there. */
    public static void schedule(KeycloakSessionFactory factory, NoticeConfig config) {
        factory.register(event -> {
            if (event instanceof PostMigrationEvent) {
                KeycloakModelUtils.runJobInTransaction(factory, new NoticeTask(config)::start);
            }
        });
    }

    private void start(KeycloakSession session) {
        session.getProvider(TimerProvider.class)
                .scheduleTask(this, config.interval().toMillis());
    }

    @Override
    public String getTaskName() {
        return "checktoken-notices";
    }

    @Override
    public void run(KeycloakSession session) {
        List<KnownDataProvider> known =
                new ArrayList<>(session.getProvider(EncryptionKeyProvider.class).knownDataProviders());
        // Otherwise those after one whose mail always fails would never get theirs.
        Collections.shuffle(known);
        NoticeRound round = new NoticeRound(config.keyFailure(), new NoticeMails(mailFailures));
        for (KnownDataProvider dataProvider : known) {
            // A transaction for each, because one that reads many clients gets slow.
            KeycloakModelUtils.runJobInTransaction(
                    session.getKeycloakSessionFactory(), own -> round.visit(own, dataProvider));
        }
        round.end();
    }
}
