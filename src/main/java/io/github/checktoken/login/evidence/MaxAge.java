package io.github.checktoken.login.evidence;

import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;

/**
 * The {@code max_age} of an authorization request (OpenID Connect Core section 3.1.2.1). Keycloak compares it with the time
 * of the session's last login, which can be younger than the methods of that session. So each method is compared here.
 *
 * @param seconds null if the request has none
 */
public record MaxAge(Integer seconds) {

    public static MaxAge of(AuthenticationSessionModel authSession) {
        String maxAge = authSession.getClientNote(OIDCLoginProtocol.MAX_AGE_PARAM);
        return new MaxAge(maxAge == null ? null : Integer.valueOf(maxAge));
    }

    public boolean isLimited() {
        return seconds != null;
    }

    /** @return the earliest time that is not too old, in seconds since the epoch; with 0, no earlier login counts */
    public long since() {
        return seconds == 0 ? CurrentTime.seconds() + 1L : (long) CurrentTime.seconds() - seconds;
    }

    /** @return those methods of an earlier login that still count */
    public AuthenticationMethods limit(AuthenticationMethods earlier) {
        return isLimited() ? earlier.usedSince(since()) : earlier;
    }
}
