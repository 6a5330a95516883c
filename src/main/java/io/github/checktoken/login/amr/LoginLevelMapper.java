package io.github.checktoken.login.amr;

import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.mappers.OIDCAccessTokenMapper;
import org.keycloak.protocol.oidc.mappers.OIDCIDTokenMapper;
import org.keycloak.representations.IDToken;

import io.github.checktoken.keycloak.OwnProtocolMapper;

/**
 * Adds {@code acr}, the level of the login that the tokens come from. It replaces Keycloak's mapper, which reads the level
 * of the session: that is the level of the last login, perhaps at another tab or of another person.
 *
 * <p>It does not add {@code acr} when a token is introspected, because the token itself says it.
 */
public final class LoginLevelMapper extends OwnProtocolMapper implements OIDCAccessTokenMapper, OIDCIDTokenMapper {

    public static final String PROVIDER_ID = "oidc-login-acr-mapper";

    public LoginLevelMapper() {
        super(
                PROVIDER_ID,
                "Authentication level of the login (acr)",
                "Adds acr: the level of authentication of the login that the token comes from, with the name that the"
                        + " realm's ACR to LoA mapping gives it. Use it instead of Keycloak's mapper.",
                tokenSwitches(LoginLevelMapper.class));
        // A data provider learns the level from the token, so a lightweight token has to say it too.
        getConfigProperties().forEach(property -> property.setDefaultValue("true"));
    }

    @Override
    protected void setClaim(
            IDToken token,
            ProtocolMapperModel mapper,
            UserSessionModel userSession,
            KeycloakSession session,
            ClientSessionContext context) {
        RecordedLogin login = new RecordedLoginResolver(session, userSession, context).resolveLevel();
        if (login.level() != null) {
            token.setAcr(AcrValue.of(userSession.getRealm(), login.level(), login.requestedAcr()));
        }
    }
}
