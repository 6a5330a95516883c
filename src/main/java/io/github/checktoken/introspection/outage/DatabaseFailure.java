package io.github.checktoken.introspection.outage;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.keycloak.models.ModelException;

/** Distinguishes a database that is unavailable from one that rejects a statement. */
public final class DatabaseFailure {

    private DatabaseFailure() {}

    /**
     * @return whether there was no connection, the connection broke, or the database is shutting down or has no
     * resources left
     */
    public static boolean causes(Throwable failure) {
        return of(failure) != null;
    }

    /** @return the exception of the driver or the connection pool; null for any other failure */
    static Throwable of(Throwable failure) {
        return withCauses(failure)
                .map(DatabaseFailure::unavailableCause)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** @return the failure, then its cause, and so on; nothing for null */
    static Stream<Throwable> withCauses(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    static Throwable rootOf(Throwable failure) {
        return withCauses(failure).reduce((outer, inner) -> inner).orElseThrow();
    }

    private static Throwable unavailableCause(Throwable failure) {
        if (failure instanceof SQLException sql && isUnavailable(sql)) {
            return sql;
        }
        // For some failures (no connection, no answer, an exhausted pool) Keycloak keeps only the root cause.
        Throwable root = failure.getCause();
        if (failure instanceof ModelException && (root instanceof IOException || root instanceof TimeoutException)) {
            return root;
        }
        // If a commit fails, Narayana adds the cause to its RollbackException as a suppressed exception.
        return Stream.of(failure.getSuppressed())
                .map(DatabaseFailure::of)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * Decides by the exception's type or the class of its SQLSTATE. If a pool has no free connection, there is no
     * SQLSTATE.
     */
    private static boolean isUnavailable(SQLException failure) {
        if (failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLRecoverableException) {
            return true;
        }
        String state = failure.getSQLState();
        return state == null
                // Connection exception; insufficient resources; operator intervention; system error (PostgreSQL's).
                || state.startsWith("08")
                || state.startsWith("53")
                || state.startsWith("57")
                || state.startsWith("58");
    }
}
