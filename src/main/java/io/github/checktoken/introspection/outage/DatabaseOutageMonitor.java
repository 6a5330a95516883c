package io.github.checktoken.introspection.outage;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmProvider;
import org.keycloak.models.utils.KeycloakModelUtils;

import io.github.checktoken.telemetry.LogInterval;
import org.jboss.logging.Logger;

/**
 * Watches the database from the first failed call until it answers again: logs one line at the beginning and one at the
 * end, and knows whether it hangs. Then further calls need not wait for it. If it fails at once, they may ask it: each
 * that takes a broken connection from the pool makes room for a new one.
 */
final class DatabaseOutageMonitor {

    private static final Logger logger = Logger.getLogger(DatabaseOutageMonitor.class);

    private static final long INTERVAL_MILLIS = 500;

    /** A database that fails more slowly counts as hanging. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicBoolean watched = new AtomicBoolean();
    private final LogInterval warnings = new LogInterval(Duration.ofMinutes(1));
    private volatile boolean hanging;

    boolean isHanging() {
        return hanging;
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
        boolean away = false;
        boolean logged = false;
        try {
            while (!answers(factory)) {
                if (!logged && warnings.isDue("away")) {
                    logger.warnf(
                            "The database is unavailable, so calls get 503 until it is back: %s", describe(failure));
                    logged = true;
                }
                away = true;
                TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
            }
            if (logged) {
                logger.warn("The database is back.");
                warnings.startAgain("away");
            } else if (!away && warnings.isDue("connection")) {
                logger.warnf("A call got 503 because the database failed, but it answers now: %s", describe(failure));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            hanging = false;
            watched.set(false);
        }
    }

    /** Leaves the message out, because the driver and the database can put anything into it. */
    private static String describe(Throwable failure) {
        String name = failure.getClass().getName();
        return failure instanceof SQLException sql ? name + ", SQLSTATE " + sql.getSQLState() : name;
    }

    /** Bypasses Keycloak's cache. Looks up a realm that does not exist, because that is the cheapest query. */
    private boolean answers(KeycloakSessionFactory factory) {
        long begin = System.nanoTime();
        try {
            KeycloakModelUtils.runJobInTransaction(
                    factory,
                    session -> session.getProvider(RealmProvider.class, "jpa").getRealm("checktoken"));
            return true;
        } catch (RuntimeException e) {
            hanging = System.nanoTime() - begin > SLOW_NANOS;
            // Any other failure must not cause calls to be rejected.
            return !DatabaseFailure.causes(e);
        }
    }
}
