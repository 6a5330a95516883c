package io.github.checktoken.login.amr;

import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;

import io.github.checktoken.telemetry.CheckTokenMetrics;

/**
 * Reports that {@code amr} was asked for and cannot be told. The tokens are issued all the same. The report is an event of
 * its own, because a mapper does not get the event of its request, and Keycloak stores that one before it calls listeners.
 */
final class AmrOmissionReport {

    /** The error of the event. */
    static final String ERROR = "amr_not_told";

    private final KeycloakSession session;
    private final UserSessionModel userSession;
    private final ClientSessionContext context;

    AmrOmissionReport(KeycloakSession session, UserSessionModel userSession, ClientSessionContext context) {
        this.session = session;
        this.userSession = userSession;
        this.context = context;
    }

    void send(AmrOmission omission) {
        CheckTokenMetrics.amrOmitted(userSession.getRealm().getName(), omission.value());
        eventType()
                .ifPresent(type ->
                        event(type).detail(Details.REASON, omission.value()).error(ERROR));
    }

    private EventBuilder event(EventType type) {
        return new EventBuilder(
                        userSession.getRealm(), session, session.getContext().getConnection())
                .event(type)
                .client(context.getClientSession().getClient())
                .user(userSession.getUser())
                .session(userSession)
                .storeImmediately(false);
    }

    /** @return empty in the front channel, because Keycloak tells people about failed logins, and this is none */
    private Optional<EventType> eventType() {
        String grantType = context.getAttribute(Constants.GRANT_TYPE, String.class);
        return switch (grantType == null ? "" : grantType) {
            case OAuth2Constants.AUTHORIZATION_CODE -> Optional.of(EventType.CODE_TO_TOKEN);
            case OAuth2Constants.REFRESH_TOKEN -> Optional.of(EventType.REFRESH_TOKEN);
            case OAuth2Constants.CLIENT_CREDENTIALS -> Optional.of(EventType.CLIENT_LOGIN);
            default -> Optional.empty();
        };
    }
}
