package io.github.checktoken.database;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.keycloak.models.ModelException;

/** Tells a database that is away from one that refuses a statement. */
public final class DatabaseFailure {

    private DatabaseFailure() {}

    /** @return whether there was no connection, or it broke, or the database is shutting down or takes no work */
    public static boolean causes(Throwable failure) {
        return of(failure) != null;
    }

    /** @return the driver's or the connection pool's failure; null when the database is not away */
    static Throwable of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            Throwable found = away(cause);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static Throwable away(Throwable failure) {
        if (failure instanceof SQLException sql && isAway(sql)) {
            return sql;
        }
        // Keycloak keeps of some failures the root alone: no connection, no answer, none free in the pool.
        Throwable root = failure.getCause();
        if (failure instanceof ModelException && (root instanceof IOException || root instanceof TimeoutException)) {
            return root;
        }
        // What made a commit fail, Narayana adds to its RollbackException in this way.
        return Stream.of(failure.getSuppressed())
                .map(DatabaseFailure::of)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** By the exception's type, or by the class of its SQLSTATE; a pool without a free connection gives none. */
    private static boolean isAway(SQLException failure) {
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
