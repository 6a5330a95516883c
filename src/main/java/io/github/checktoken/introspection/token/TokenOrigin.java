package io.github.checktoken.introspection.token;

import java.util.Set;

import org.keycloak.OAuth2Constants;
import org.keycloak.common.Profile;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;

import io.github.checktoken.keycloak.ClientSessionLevel;

/**
 * Where a token comes from: a login of its client, or the token of another one that its client exchanged.
 *
 * @param tokenId no mapper can set it
 * @param context what the token's id says about how it was issued
 * @param clientSession the one of the token's client; null if there is none
 */
record TokenOrigin(String tokenId, AccessTokenContext context, AuthenticatedClientSessionModel clientSession) {

    /** The user proved something for these grants. They are the only ones that start a client session for that. */
    private static final Set<String> LOGINS = Set.of(
            OAuth2Constants.AUTHORIZATION_CODE,
            OAuth2Constants.PASSWORD,
            OAuth2Constants.DEVICE_CODE_GRANT_TYPE,
            OAuth2Constants.CIBA_GRANT_TYPE);

    /** Neither has a subject token. */
    private static final Set<String> OF_NO_OTHER_TOKEN =
            Set.of(OAuth2Constants.CLIENT_CREDENTIALS, OAuth2Constants.JWT_AUTHORIZATION_GRANT);

    /** Keycloak creates a session with this method if a client exchanges a token of somebody else. */
    private static final String EXTERNAL_EXCHANGE = "external-exchange";

    /** Whether the token was issued for a login itself. */
    boolean isLogin() {
        return LOGINS.contains(context.getGrantType());
    }

    boolean isRefresh() {
        return OAuth2Constants.REFRESH_TOKEN.equals(context.getGrantType());
    }

    /** Whether it is known that nobody signed in for the token. */
    boolean isWithoutLogin() {
        return clientSession == null
                || isExchange()
                || OAuth2Constants.JWT_AUTHORIZATION_GRANT.equals(context.getGrantType())
                || context.getSessionType() == SessionType.TRANSIENT
                || context.getSessionType().isAllowTransientClientSession();
    }

    private boolean isExchange() {
        return OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE.equals(context.getGrantType());
    }

    /**
     * Whether the token's client exchanged the token of another one, and is not known to have had a login of its own in
     * the session.
     */
    boolean isExchangeAlone() {
        return isExchange()
                || clientSession != null
                        && !OF_NO_OTHER_TOKEN.contains(context.getGrantType())
                        && clientSession.getNote(OIDCLoginProtocol.RESPONSE_TYPE_PARAM) == null
                        && ClientSessionLevel.ofToken(clientSession, tokenId).isEmpty()
                        && mayBeExchange();
    }

    /** Whether the token may come from an exchange: a refresh does not say what the first token was issued for. */
    boolean mayBeExchange() {
        return !isLogin() && (hasExchanged() || Profile.isFeatureEnabled(Profile.Feature.TOKEN_EXCHANGE));
    }

    /** Keycloak's standard exchange notes the subject token. */
    boolean hasExchanged() {
        return clientSession.getNotes().keySet().stream()
                .anyMatch(note -> note.startsWith(Constants.TOKEN_EXCHANGE_SUBJECT_CLIENT));
    }

    /**
     * The first token exchange, a preview, leaves no trace. But it adds a client session to a session of before, and no
     * response type.
     */
    boolean isOfLogin() {
        return !Profile.isFeatureEnabled(Profile.Feature.TOKEN_EXCHANGE)
                || clientSession.getNote(OIDCLoginProtocol.RESPONSE_TYPE_PARAM) != null
                || clientSession.getStarted() == clientSession.getUserSession().getStarted()
                        && !EXTERNAL_EXCHANGE.equals(
                                clientSession.getUserSession().getAuthMethod());
    }
}
