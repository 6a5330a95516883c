package io.github.checktoken.login.amr;

import java.util.Locale;

import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.grants.OAuth2GrantType;

import io.github.checktoken.telemetry.CheckTokenCounter;

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
    void report(KeycloakSession session, UserSessionModel userSession, ClientModel client) {
        String reason = name().toLowerCase(Locale.ROOT);
        RealmModel realm = userSession.getRealm();
        CheckTokenCounter.AMR_OMITTED.increment(realm.getName(), "reason", reason);
        EventType type = eventType(session, LoginInProgress.of(session).grantType());
        if (type != EventType.LOGIN) {
            new EventBuilder(realm, session, session.getContext().getConnection())
                    .event(type)
                    .client(client)
                    .user(userSession.getUser())
                    .session(userSession)
                    .storeImmediately(false)
                    .detail(Details.REASON, reason)
                    .error(ERROR);
        }
    }

    /**
     * @return Keycloak's type for this grant; {@code LOGIN} in the front channel and for a direct grant, which is not
     *     reported: Keycloak tells people about failed logins, and this is none
     */
    private static EventType eventType(KeycloakSession session, String grantType) {
        return grantType == null
                ? EventType.LOGIN
                : session.getProvider(OAuth2GrantType.class, grantType).getEventType();
    }
}
