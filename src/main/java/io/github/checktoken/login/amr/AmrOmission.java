package io.github.checktoken.login.amr;

import java.util.Locale;

import org.keycloak.OAuth2Constants;
import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;

import io.github.checktoken.telemetry.CheckTokenMetrics;

/** Why an ID token has no {@code amr}, although its request asked for it. */
enum AmrOmission {
    /** The login of the code or of the refresh token was not recorded, or not kept. */
    LOGIN_NOT_FOUND,

    /** The codes of several logins cannot be told apart, and the logins differ. */
    LOGINS_AMBIGUOUS,

    /** The login was somebody else's. */
    OTHER_PERSON,

    /** Nothing was proved that the mapper may release. */
    NO_METHOD,

    /** The realm's logins are not guarded, and the realm does not accept that. */
    UNGUARDED;

    /** The error of the event. */
    private static final String ERROR = "amr_not_told";

    /**
     * Reports that {@code amr} was asked for and cannot be told. The tokens are issued all the same. The report is an
     * event of its own, because a mapper does not get the event of its request, and Keycloak stores that one before it
     * calls listeners.
     */
    void report(KeycloakSession session, UserSessionModel userSession, ClientSessionContext context) {
        String reason = name().toLowerCase(Locale.ROOT);
        RealmModel realm = userSession.getRealm();
        CheckTokenMetrics.amrOmitted(realm.getName(), reason);
        EventType type = eventType(context.getAttribute(Constants.GRANT_TYPE, String.class));
        if (type != null) {
            new EventBuilder(realm, session, session.getContext().getConnection())
                    .event(type)
                    .client(context.getClientSession().getClient())
                    .user(userSession.getUser())
                    .session(userSession)
                    .storeImmediately(false)
                    .detail(Details.REASON, reason)
                    .error(ERROR);
        }
    }

    /** @return null in the front channel, because Keycloak tells people about failed logins, and this is none */
    private static EventType eventType(String grantType) {
        return switch (grantType == null ? "" : grantType) {
            case OAuth2Constants.AUTHORIZATION_CODE -> EventType.CODE_TO_TOKEN;
            case OAuth2Constants.REFRESH_TOKEN -> EventType.REFRESH_TOKEN;
            case OAuth2Constants.CLIENT_CREDENTIALS -> EventType.CLIENT_LOGIN;
            default -> null;
        };
    }
}
