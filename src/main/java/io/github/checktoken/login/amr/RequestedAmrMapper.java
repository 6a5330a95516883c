package io.github.checktoken.login.amr;

import java.util.List;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.ProtocolMapperConfigException;
import org.keycloak.protocol.oidc.mappers.OIDCAccessTokenMapper;
import org.keycloak.protocol.oidc.mappers.OIDCIDTokenMapper;
import org.keycloak.representations.AccessToken;
import org.keycloak.representations.IDToken;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.keycloak.OwnProtocolMapper;

/**
 * Adds {@code amr} to the ID token if the client's authorization request asked for it (OpenID Connect Core section 5.5,
 * RFC 8176). It adds {@code amr} neither to other tokens nor to the responses of other endpoints.
 */
public final class RequestedAmrMapper extends OwnProtocolMapper implements OIDCAccessTokenMapper, OIDCIDTokenMapper {

    public static final String PROVIDER_ID = "oidc-requested-amr-mapper";

    public RequestedAmrMapper() {
        super(
                PROVIDER_ID,
                "Authentication methods on request (amr)",
                "Adds amr, how the person really signed in, to the ID token when the authorization request asks for it"
                        + " with claims={\"id_token\":{\"amr\":{\"essential\":true}}}.",
                RequestedAmrConfig.PROPERTIES);
    }

    @Override
    public void validateConfig(
            KeycloakSession session,
            RealmModel realm,
            ProtocolMapperContainerModel container,
            ProtocolMapperModel mapper)
            throws ProtocolMapperConfigException {
        super.validateConfig(session, realm, container, mapper);
        RequestedAmrConfig.Problem problem =
                new RequestedAmrConfig(mapper).problem().orElse(null);
        if (problem != null) {
            throw new ProtocolMapperConfigException(
                    problem.setting().equals(RequestedAmrConfig.CONSTANT)
                            ? "checktokenAmrConstant"
                            : "checktokenAmrReleased",
                    problem.setting() + " must not have the value " + problem.value(),
                    problem.value());
        }
    }

    /**
     * Changes nothing, but looks the login up: Keycloak creates the access token first. For the ID token of an offline
     * refresh, it has another context, without the grant type.
     */
    @Override
    public AccessToken transformAccessToken(
            AccessToken token,
            ProtocolMapperModel mapper,
            KeycloakSession session,
            UserSessionModel userSession,
            ClientSessionContext context) {
        new RecordedLoginResolver(session, userSession, context).resolve();
        return token;
    }

    /** Unlike Keycloak's mappers, this one has no switch "add to ID token", because it does nothing else. */
    @Override
    public IDToken transformIDToken(
            IDToken token,
            ProtocolMapperModel mapper,
            KeycloakSession session,
            UserSessionModel userSession,
            ClientSessionContext context) {
        RequestedAmrConfig config = new RequestedAmrConfig(mapper);
        ResolvedLogin resolved = new RecordedLoginResolver(session, userSession, context).resolve();
        AmrOmission omission = resolved.omission();
        if (config.releasesAmr(resolved.login().amrClaim())) {
            List<String> values = config.amrValues(
                    resolved.login().methods().validAt(CurrentTime.seconds()).values());
            if (values.isEmpty()) {
                omission = AmrOmission.NO_METHOD;
            } else {
                token.setOtherClaims(OAuth2Constants.AUTHENTICATOR_METHOD_REFERENCE, values);
            }
        }
        if (omission != null) {
            omission.report(session, userSession, context.getClientSession().getClient());
        }
        return token;
    }
}
