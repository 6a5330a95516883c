package io.github.checktoken.introspection.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.keycloak.common.ClientConnection;
import org.keycloak.events.Event;
import org.keycloak.events.EventListenerProvider;
import org.keycloak.events.EventListenerProviderFactory;
import org.keycloak.events.admin.AdminEvent;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.KeycloakTransactionManager;
import org.keycloak.models.RealmModel;
import org.keycloak.tracing.TracingProvider;

import io.github.checktoken.support.Fake;
import io.opentelemetry.api.trace.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Which events an answer and a failure after the check of the token lead to. A listener keeps what it gets. */
class CheckTokenEventBuilderTest {

    /** Keycloak creates a session for the transaction in which it stores an event at once. */
    private static final String STORED_AT_ONCE = "stored at once";

    private final List<String> events = new ArrayList<>();

    @Test
    void inactiveAnswerIsOneEventWithTheLastErrorOfTheCheck() {
        CheckTokenEventBuilder event = builder(false);
        event.beginTokenCheck();
        event.error("expired_code");
        event.error("invalid_token");
        assertEquals(List.of(), events);
        event.recordAnswer();
        assertEquals(List.of("INTROSPECT_TOKEN_ERROR invalid_token"), events);
    }

    /** Keycloak would roll back without an exception, and the answer would be sent without its event. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answerFailsIfItsTransactionWillBeRolledBack(boolean active) {
        CheckTokenEventBuilder event = builder(true);
        event.beginTokenCheck();
        if (!active) {
            event.error("invalid_token");
        }
        assertThrows(IllegalStateException.class, event::recordAnswer);
        events.clear();
        event.errorUnlessRecorded(CheckTokenError.SERVER_ERROR, "rolled back");
        assertEquals(List.of(STORED_AT_ONCE), events);
        assertEquals("token_introspection_failed", event.getEvent().getError());
    }

    @Test
    void failureAfterARejectionIsTheEvent() {
        CheckTokenEventBuilder event = builder(false);
        event.beginTokenCheck();
        event.error("invalid_token");
        event.errorUnlessRecorded(CheckTokenError.SERVER_ERROR, "the key failed");
        assertEquals(List.of(STORED_AT_ONCE), events);
        assertEquals("token_introspection_failed", event.getEvent().getError());
    }

    private CheckTokenEventBuilder builder(boolean rollbackOnly) {
        EventListenerProviderFactory listener =
                Fake.of(EventListenerProviderFactory.class, Map.of("getId", "fake", "isGlobal", true));
        KeycloakContext context = Fake.of(
                KeycloakContext.class,
                Map.of(
                        "getRealm", Fake.of(RealmModel.class, Map.of()),
                        "getConnection", Fake.of(ClientConnection.class, Map.of())));
        KeycloakSessionFactory factory = Fake.of(KeycloakSessionFactory.class, (method, arguments) -> {
            if (method.equals("create")) {
                events.add(STORED_AT_ONCE);
                throw new IllegalStateException("The test needs no second session.");
            }
            return method.equals("getProviderFactoriesStream") ? List.of(listener) : null;
        });
        return new CheckTokenEventBuilder(Fake.of(KeycloakSession.class, (method, arguments) -> switch (method) {
            case "getContext" -> context;
            case "getTransactionManager" ->
                Fake.of(KeycloakTransactionManager.class, Map.of("getRollbackOnly", rollbackOnly));
            case "getKeycloakSessionFactory" -> factory;
            case "getProvider" -> provider((Class<?>) arguments[0]);
            default -> null;
        }));
    }

    private Object provider(Class<?> type) {
        return type == TracingProvider.class
                ? Fake.of(TracingProvider.class, Map.of("getCurrentSpan", Span.getInvalid()))
                : new EventListener();
    }

    private final class EventListener implements EventListenerProvider {

        @Override
        public void onEvent(Event event) {
            events.add(event.getType() + " " + event.getError());
        }

        @Override
        public void onEvent(AdminEvent event, boolean includeRepresentation) {}

        @Override
        public void close() {}
    }
}
