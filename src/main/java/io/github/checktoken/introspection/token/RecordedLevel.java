package io.github.checktoken.introspection.token;

import java.util.Optional;
import java.util.Set;

import org.keycloak.OAuth2Constants;
import org.keycloak.common.Profile;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;
import org.keycloak.services.managers.AuthenticationManager;

import io.github.checktoken.keycloak.ClientSessionLevel;

/**
 * The highest level of authentication that is known for a token. A claim of the token may say less, and is not believed
 * if it says more.
 */
final class RecordedLevel {

    /** The user proved something for these grants. They are the only ones that start a client session for that. */
    private static final Set<String> LOGINS = Set.of(
            OAuth2Constants.AUTHORIZATION_CODE,
            OAuth2Constants.PASSWORD,
            OAuth2Constants.DEVICE_CODE_GRANT_TYPE,
            OAuth2Constants.CIBA_GRANT_TYPE);

    /** The user proved nothing for these grants. */
    private static final Set<String> NO_LOGINS =
            Set.of(OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, OAuth2Constants.JWT_AUTHORIZATION_GRANT);

    /** Keycloak creates a session with this method if a client exchanges a token of somebody else. */
    private static final String EXTERNAL_EXCHANGE = "external-exchange";

    private RecordedLevel() {}

    /**
     * @param context what the token's id says about how it was issued; no mapper can set it
     * @param clientSession the service provider's; null if there is none
     * @return empty if no level is known
     */
    static Optional<Integer> of(AccessTokenContext context, AuthenticatedClientSessionModel clientSession) {
        return clientSession == null
                        || isTransient(context.getSessionType())
                        || NO_LOGINS.contains(context.getGrantType())
                ? Optional.empty()
                : ClientSessionLevel.highest(clientSession)
                        .or(() -> number(clientSession.getNote(Constants.LEVEL_OF_AUTHENTICATION)))
                        .filter(level -> level >= Constants.MINIMUM_LOA)
                        .or(() -> withoutLevel(context.getGrantType(), clientSession));
    }

    /** Keycloak made the client session for this one token, so nobody signed in to it. */
    private static boolean isTransient(SessionType type) {
        return type == SessionType.TRANSIENT || type.isAllowTransientClientSession();
    }

    /** Keycloak's acr mapper gives a login whose flow reaches no level 1, and single sign-on 0. */
    private static Optional<Integer> withoutLevel(String grantType, AuthenticatedClientSessionModel clientSession) {
        if (AuthenticationManager.isSSOAuthentication(clientSession)) {
            return Optional.of(Constants.MINIMUM_LOA);
        }
        return isExchanged(clientSession) || !LOGINS.contains(grantType) && !isOfLogin(clientSession)
                ? Optional.empty()
                : Optional.of(1);
    }

    /** The exchange replaces the level of the client session with none. */
    private static boolean isExchanged(AuthenticatedClientSessionModel clientSession) {
        return clientSession.getNotes().keySet().stream()
                .anyMatch(note -> note.startsWith(Constants.TOKEN_EXCHANGE_SUBJECT_CLIENT));
    }

    /**
     * The first token exchange, a preview, leaves no trace. But it adds a client session to a session of before, and no
     * response type.
     */
    private static boolean isOfLogin(AuthenticatedClientSessionModel clientSession) {
        return !Profile.isFeatureEnabled(Profile.Feature.TOKEN_EXCHANGE)
                || clientSession.getNote(OIDCLoginProtocol.RESPONSE_TYPE_PARAM) != null
                || clientSession.getStarted() == clientSession.getUserSession().getStarted()
                        && !EXTERNAL_EXCHANGE.equals(
                                clientSession.getUserSession().getAuthMethod());
    }

    static Optional<Integer> number(String note) {
        try {
            return note == null ? Optional.empty() : Optional.of(Integer.valueOf(note));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
