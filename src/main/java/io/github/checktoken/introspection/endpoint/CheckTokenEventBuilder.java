package io.github.checktoken.introspection.endpoint;

import java.util.Map;
import java.util.Optional;

import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.dataprovider.AnswerCounts;
import io.github.checktoken.introspection.outage.DatabaseFailure;
import org.jboss.logging.Logger;

/**
 * The Keycloak event of one call. The event of an answer, active or not, is stored with the request's transaction, so no
 * answer is given without it. An error is given even if its event cannot be stored, unless the database is unavailable:
 * then the call gets 503.
 */
final class CheckTokenEventBuilder extends EventBuilder {

    private static final Logger logger = Logger.getLogger(CheckTokenEventBuilder.class);

    private final KeycloakSession session;

    /** Null until the caller is known to be a data provider. */
    private ClientModel dataProvider;

    private Phase phase = Phase.CALLER_CHECK;

    /** The last error of the token's check; null if there was none. */
    private String rejection;

    private RuntimeException databaseFailure;

    /** What an error means. */
    private enum Phase {
        /** It ends the call, and is stored at once. */
        CALLER_CHECK,
        /** It is about the token, and does not end the call: {@link #recordAnswer} stores it. */
        TOKEN_CHECK,
        /** The call has ended with an error. */
        ENDED
    }

    CheckTokenEventBuilder(KeycloakSession session) {
        super(session.getContext().getRealm(), session, session.getContext().getConnection());
        this.session = session;
        event(EventType.INTROSPECT_TOKEN);
    }

    /** From now on, what the caller is answered is counted for this data provider. */
    void countFor(ClientModel client) {
        dataProvider = client;
    }

    /** @return empty until the caller is known to be a data provider */
    Optional<ClientModel> dataProvider() {
        return Optional.ofNullable(dataProvider);
    }

    /** From now on, an error is about the token. */
    void beginTokenCheck() {
        phase = Phase.TOKEN_CHECK;
    }

    /**
     * Stores that the call was answered: that the token is active, or why it is not.
     *
     * @throws IllegalStateException if the request's transaction will be rolled back, because a failure was caught
     *     elsewhere. Keycloak would not report that, so the caller would get an answer whose event is lost
     */
    void recordAnswer() {
        if (isRejected()) {
            super.storeImmediately(false);
            super.error(rejection);
        } else {
            super.success();
        }
        if (session.getTransactionManager().getRollbackOnly()) {
            throw new IllegalStateException("The transaction will be rolled back");
        }
        count(rejection);
    }

    /** Whether the token is not active. The event itself does not tell on Keycloak 26.7.5, which stores a copy. */
    boolean isRejected() {
        return rejection != null;
    }

    /** Stores the error at once, unless Keycloak's client authenticators have already stored their own. */
    void errorUnlessRecorded(CheckTokenError error, String reason) {
        if (phase != Phase.ENDED) {
            super.storeImmediately(true);
            detail(Details.REASON, reason);
            count(error.eventError());
            end(error.eventError());
        }
    }

    /** @param error null if the token is active */
    private void count(String error) {
        if (dataProvider == null) {
            return;
        }
        Map<String, String> details = getEvent().getDetails();
        AnswerCounts.of(session).count(dataProvider, error, details == null ? null : details.get(Details.REASON));
    }

    @Override
    public void error(String error) {
        if (phase == Phase.TOKEN_CHECK) {
            rejection = error;
        } else {
            end(error);
        }
    }

    /**
     * Keycloak stores the event at once, in its own transaction. This method never throws: Keycloak's client
     * authentication would log the exception with a stack trace and try to store the event again.
     */
    private void end(String error) {
        phase = Phase.ENDED;
        if (databaseFailure != null) {
            return;
        }
        try {
            super.error(error);
        } catch (RuntimeException e) {
            if (DatabaseFailure.causes(e)) {
                databaseFailure = e;
            } else {
                // Only the type is logged, because the message can quote the event.
                logger.warnf(
                        "The event of a call with error %s could not be stored: %s",
                        error, e.getClass().getName());
            }
        }
    }

    /** @throws RuntimeException if the database was unavailable when an error event was stored */
    void rethrowDatabaseFailure() {
        if (databaseFailure != null) {
            throw databaseFailure;
        }
    }
}
