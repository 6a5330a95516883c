package io.github.checktoken.introspection;

import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.database.DatabaseFailure;
import org.jboss.logging.Logger;

/**
 * The Keycloak event of one call. If it cannot be stored, an answer about a person is not given. A refusal is given all the
 * same, unless the database is away: then the call gets 503.
 */
final class CheckTokenEventBuilder extends EventBuilder {

    private static final Logger logger = Logger.getLogger(CheckTokenEventBuilder.class);

    /** What Keycloak has room for, of a client and of an event alike. An event with more is not stored at all. */
    private static final int MAX_CLIENT_ID_CHARACTERS = 255;

    private RuntimeException databaseFailure;

    CheckTokenEventBuilder(KeycloakSession session) {
        super(session.getContext().getRealm(), session, session.getContext().getConnection());
        event(EventType.INTROSPECT_TOKEN);
    }

    /** @param clientId as a caller names a client, of any length: no client has more than is kept of it */
    @Override
    public EventBuilder client(String clientId) {
        return super.client(
                clientId == null ? null : clientId.substring(0, Math.min(clientId.length(), MAX_CLIENT_ID_CHARACTERS)));
    }

    /** Keycloak's client authenticators and token checks have recorded their own failure already. */
    void errorUnlessRecorded(CheckTokenError error, String reason) {
        if (getEvent().getError() == null) {
            detail(Details.REASON, reason);
            error(error.event());
        }
    }

    /**
     * Keycloak stores it at once, in a transaction of its own. It never fails here, because Keycloak's client
     * authentication logs a stack trace for what does, and tries again.
     */
    @Override
    public void error(String error) {
        if (databaseFailure != null) {
            return;
        }
        try {
            super.error(error);
        } catch (RuntimeException e) {
            if (DatabaseFailure.causes(e)) {
                databaseFailure = e;
            } else {
                // By type alone: the message can have what the event has.
                logger.warnf(
                        "The event of a call could not be stored, its error is %s: %s",
                        error, e.getClass().getName());
            }
        }
    }

    /** @throws RuntimeException when the database was away as a refusal was to be stored */
    void rethrowDatabaseFailure() {
        if (databaseFailure != null) {
            throw databaseFailure;
        }
    }
}
