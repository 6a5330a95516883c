package io.github.checktoken.database;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmProvider;
import org.keycloak.models.utils.KeycloakModelUtils;

import org.jboss.logging.Logger;

/** Knows whether the database is unavailable, and logs one line when an outage begins and one when it ends. */
final class DatabaseOutageMonitor {

    private static final Logger logger = Logger.getLogger(DatabaseOutageMonitor.class);

    private static final long INTERVAL_SECONDS = 2;

    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile boolean away;
    /** The last warning without an outage, as a value of {@link System#nanoTime()}; 0 if there was none. */
    private volatile long lastWarning;

    boolean isAway() {
        return away;
    }

    /** Called after a failed call. Starts a thread that finds out whether the database or only a connection failed. */
    void suspect(Throwable failure, KeycloakSessionFactory factory) {
        if (watched.compareAndSet(false, true)) {
            // A separate thread, because a database that hangs would block the request's thread.
            Thread watch = new Thread(() -> watch(failure, factory), "checktoken-database");
            watch.setDaemon(true);
            watch.start();
        }
    }

    private void watch(Throwable failure, KeycloakSessionFactory factory) {
        try {
            while (!answers(factory)) {
                if (!away) {
                    logger.warnf(
                            "The database is unavailable, so calls get 503 until it is back: %s", describe(failure));
                    away = true;
                }
                TimeUnit.SECONDS.sleep(INTERVAL_SECONDS);
            }
            if (away) {
                logger.warn("The database is back.");
            } else {
                warnOncePerMinute(failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            away = false;
            watched.set(false);
        }
    }

    /** For a failure without an outage, such as an exhausted connection pool. The call still got 503. */
    private void warnOncePerMinute(Throwable failure) {
        long now = System.nanoTime();
        if (lastWarning == 0 || now - lastWarning > TimeUnit.MINUTES.toNanos(1)) {
            lastWarning = now;
            logger.warnf("A call got 503 because the database failed, but it answers now: %s", describe(failure));
        }
    }

    /** Leaves the message out, because the driver and the database can put anything into it. */
    private static String describe(Throwable failure) {
        String name = failure.getClass().getName();
        return failure instanceof SQLException sql ? name + ", SQLSTATE " + sql.getSQLState() : name;
    }

    /** Bypasses Keycloak's cache. Looks up a realm that does not exist, because that is the cheapest query. */
    private static boolean answers(KeycloakSessionFactory factory) {
        try {
            KeycloakModelUtils.runJobInTransaction(
                    factory,
                    session -> session.getProvider(RealmProvider.class, "jpa").getRealm("checktoken"));
            return true;
        } catch (RuntimeException e) {
            // Any other failure must not cause calls to be rejected.
            return !DatabaseFailure.causes(e);
        }
    }
}
