package io.github.checktoken.introspection.outage;

import java.io.IOException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.transaction.xa.XAException;

import org.keycloak.models.ModelException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DatabaseFailureTest {

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "53300", "57P01", "57P03", "58030"})
    void databaseIsAwayByTheClassOfItsState(String state) {
        assertTrue(DatabaseFailure.causes(new RuntimeException(new SQLException("", state))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "22021", "23505", "40001", "42P01"})
    void databaseThatRefusesStatementIsNotAway(String state) {
        assertFalse(DatabaseFailure.causes(new RuntimeException(new SQLException("", state))));
    }

    @Test
    void databaseIsAwayByTheTypeOfTheFailure() {
        assertTrue(DatabaseFailure.causes(new SQLNonTransientConnectionException("", "90135")));
        assertTrue(DatabaseFailure.causes(new SQLTransientConnectionException("", "90135")));
        assertTrue(DatabaseFailure.causes(new SQLRecoverableException("", "90135")));
        assertFalse(DatabaseFailure.causes(new SQLIntegrityConstraintViolationException("", "23505")));
    }

    @Test
    void databaseIsAwayWhenThePoolHasNoConnection() {
        assertTrue(DatabaseFailure.causes(new RuntimeException(new SQLException("Acquisition timeout"))));
    }

    /** Narayana's TransactionImple adds the exceptions that it has deferred as suppressed ones. */
    @Test
    void databaseIsAwayWhenTheCommitFails() {
        Exception rollback = new Exception("Could not commit transaction.");
        rollback.addSuppressed(new XAException().initCause(new SQLException("", "57P01")));
        assertTrue(DatabaseFailure.causes(new RuntimeException(rollback)));
    }

    /** Keycloak's EntityManagerProxy.convert drops the exceptions between the outer one and the root cause. */
    @Test
    void databaseIsAwayWhenKeycloakKeepsTheRootAlone() {
        for (Exception root : List.of(new ConnectException(), new TimeoutException())) {
            assertTrue(DatabaseFailure.causes(new ModelException("Database operation failed", root)));
        }
    }

    @Test
    void anotherServerThatIsAwayIsNotTheDatabase() {
        assertFalse(DatabaseFailure.causes(new RuntimeException(new IOException())));
        assertFalse(DatabaseFailure.causes(new ModelException("LDAP", new RuntimeException(new ConnectException()))));
        assertFalse(DatabaseFailure.causes(new IllegalStateException()));
    }
}
