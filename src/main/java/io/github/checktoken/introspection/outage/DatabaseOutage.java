package io.github.checktoken.introspection.outage;

import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.keycloak.OAuthErrorException;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakTransactionManager;

import io.github.checktoken.keycloak.ErrorBody;

/** Answers 503 while the database is unavailable; Keycloak would answer 500 and log a stack trace for each call. */
public final class DatabaseOutage {

    /** The member {@code error} of the answer. */
    public static final String ERROR = OAuthErrorException.TEMPORARILY_UNAVAILABLE;

    private static final int RETRY_AFTER_SECONDS = 5;

    private static final DatabaseOutageMonitor MONITOR = new DatabaseOutageMonitor();

    private DatabaseOutage() {}

    /**
     * Does all of a request's work that needs the database, the commit included, which Keycloak would do after the
     * resource has answered. While the database hangs it is not asked.
     *
     * @param unavailable makes the result from the response with the status 503
     */
    public static <T> T guard(KeycloakSession session, Supplier<T> work, Function<Response, T> unavailable) {
        if (MONITOR.isHanging()) {
            return unavailable.apply(response());
        }
        try {
            T result = work.get();
            end(session.getTransactionManager());
            return result;
        } catch (RuntimeException e) {
            Throwable cause = DatabaseFailure.of(e);
            if (cause == null) {
                throw e;
            }
            session.getTransactionManager().setRollbackOnly();
            MONITOR.suspect(cause, session.getKeycloakSessionFactory());
            return unavailable.apply(response());
        }
    }

    /** As Keycloak does when it closes the session, and then not again. */
    private static void end(KeycloakTransactionManager transaction) {
        if (transaction.getRollbackOnly()) {
            transaction.rollback();
        } else {
            transaction.commit();
        }
    }

    private static Response response() {
        return new ErrorBody(ERROR, "The database cannot be reached.")
                .response(503)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .build();
    }
}
