package io.github.checktoken.database;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmProvider;
import org.keycloak.models.utils.KeycloakModelUtils;

import org.jboss.logging.Logger;

/** Knows whether the database is away, and tells the log once when it goes and once when it is back. */
final class DatabaseOutageMonitor {

    private static final Logger logger = Logger.getLogger(DatabaseOutageMonitor.class);

    private static final long INTERVAL_SECONDS = 2;

    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile boolean away;
    private volatile long told;

    boolean isAway() {
        return away;
    }

    /** After a failed call: finds out whether it was one broken connection or all. */
    void suspect(Throwable failure, KeycloakSessionFactory factory) {
        if (watched.compareAndSet(false, true)) {
            // A thread of its own, because a database that hangs holds whoever asks it.
            Thread watch = new Thread(() -> watch(failure, factory), "checktoken-database");
            watch.setDaemon(true);
            watch.start();
        }
    }

    private void watch(Throwable failure, KeycloakSessionFactory factory) {
        try {
            while (!answers(factory)) {
                if (!away) {
                    logger.warnf("The database is away, calls get 503 until it is back: %s", words(failure));
                    away = true;
                }
                TimeUnit.SECONDS.sleep(INTERVAL_SECONDS);
            }
            if (away) {
                logger.warn("The database is back.");
            } else {
                tellOnceAMinute(failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            away = false;
            watched.set(false);
        }
    }

    /** Without an outage: a full pool of connections, say. The call got 503 all the same. */
    private void tellOnceAMinute(Throwable failure) {
        long now = System.nanoTime();
        if (told == 0 || now - told > TimeUnit.MINUTES.toNanos(1)) {
            told = now;
            logger.warnf("A call got 503 because of the database, which answers again: %s", words(failure));
        }
    }

    /** Without the message, which has what the driver and the database want to say. */
    private static String words(Throwable failure) {
        String name = failure.getClass().getName();
        return failure instanceof SQLException sql ? name + ", SQLSTATE " + sql.getSQLState() : name;
    }

    /** Asks beside Keycloak's cache; for a realm that is not there, which costs least. */
    private static boolean answers(KeycloakSessionFactory factory) {
        try {
            KeycloakModelUtils.runJobInTransaction(
                    factory,
                    session -> session.getProvider(RealmProvider.class, "jpa").getRealm("checktoken"));
            return true;
        } catch (RuntimeException e) {
            // Whatever else it is, it must not keep calls out.
            return !DatabaseFailure.causes(e);
        }
    }
}
