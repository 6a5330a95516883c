package io.github.checktoken.introspection.outage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakTransactionManager;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

class DatabaseOutageTest {

    private final List<String> ends = new ArrayList<>();
    private boolean rollbackOnly;
    private final KeycloakTransactionManager transaction =
            Fake.of(KeycloakTransactionManager.class, (method, arguments) -> {
                if (method.equals("getRollbackOnly")) {
                    return rollbackOnly;
                }
                ends.add(method);
                return null;
            });
    private final KeycloakSession session =
            Fake.of(KeycloakSession.class, Map.of("getTransactionManager", transaction));

    @Test
    void workIsCommittedBeforeItsResultIsGiven() {
        assertEquals("result", DatabaseOutage.guard(session, () -> "result", response -> "unavailable"));
        assertEquals(List.of("commit"), ends);
    }

    @Test
    void workThatMustNotBeCommittedIsRolledBack() {
        rollbackOnly = true;
        assertEquals("result", DatabaseOutage.guard(session, () -> "result", response -> "unavailable"));
        assertEquals(List.of("rollback"), ends);
    }

    @Test
    void otherFailureIsNoOutage() {
        RuntimeException failure = new IllegalStateException();
        assertSame(
                failure,
                assertThrows(
                        RuntimeException.class,
                        () -> DatabaseOutage.guard(
                                session,
                                () -> {
                                    throw failure;
                                },
                                response -> "unavailable")));
        assertEquals(List.of(), ends);
    }
}
