package io.github.checktoken.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionModel.SessionPersistenceState;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.ProtocolMapperUtils;
import org.keycloak.protocol.oidc.mappers.AbstractPairwiseSubMapper;
import org.keycloak.protocol.oidc.mappers.TokenIntrospectionTokenMapper;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.util.DefaultClientSessionContext;
import org.keycloak.services.util.UserSessionUtil;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.type.TypeReference;

/**
 * The data provider's own mappers, run for the token's person as if that person had a session there. The session is a
 * transient copy, so that nothing of it stays.
 */
final class ProtocolMapperRunner {

    private final KeycloakSession session;
    private final UserSessionModel userSession;
    private final ClientSessionContext context;

    private ProtocolMapperRunner(KeycloakSession session, UserSessionModel userSession, ClientSessionContext context) {
        this.session = session;
        this.userSession = userSession;
        this.context = context;
    }

    /** @param scope the registered scopes of the token, which bring their mappers along with the default ones */
    static ProtocolMapperRunner of(
            KeycloakSession session, ClientModel client, String scope, UserSessionModel userSession) {
        UserSessionModel copy = userSession.getPersistenceState() == SessionPersistenceState.TRANSIENT
                ? userSession
                : UserSessionUtil.createTransientUserSession(session, userSession);
        AuthenticatedClientSessionModel clientSession = copy.getAuthenticatedClientSessionByClient(client.getId());
        if (clientSession == null) {
            clientSession = session.sessions().createClientSession(client.getRealm(), client, copy);
        }
        // Keycloak's check of the token and the service provider's mappers leave the organization there that it names.
        session.getContext().setOrganization(null);
        return new ProtocolMapperRunner(
                session,
                copy,
                new AllOrganizationsContext(
                        DefaultClientSessionContext.fromClientSessionAndScopeParameter(clientSession, scope, session)));
    }

    String userId() {
        return userSession.getUser().getId();
    }

    /**
     * Every claim with a value that a mapper with "Add to token introspection" gives, but for protocol members. None of a
     * service account, whatever an administrator filled in there: no identity means no person.
     */
    Map<String, Object> identity() {
        if (userSession.getUser().getServiceAccountClientLink() != null) {
            return Map.of();
        }
        AccessToken token = new AccessToken();
        for (Entry<ProtocolMapperModel, ProtocolMapper> entry : mappers()) {
            if (entry.getValue() instanceof TokenIntrospectionTokenMapper mapper
                    && !(mapper instanceof AbstractPairwiseSubMapper)) {
                token = mapper.transformIntrospectionToken(token, entry.getKey(), session, userSession, context);
            }
        }
        Map<String, Object> claims = JsonSerialization.mapper.convertValue(token, new TypeReference<>() {});
        claims.keySet().removeAll(ProtocolClaims.NAMES);
        EmptyClaimFilter.removeFrom(claims);
        return claims;
    }

    /** The Keycloak pairwise mappers of the data provider, each with its settings. */
    List<Entry<ProtocolMapperModel, ProtocolMapper>> pairwiseMappers() {
        return mappers().stream()
                .filter(entry -> entry.getValue() instanceof AbstractPairwiseSubMapper)
                .toList();
    }

    /** What a pairwise mapper puts into this client's ID token at login. */
    String subject(Entry<ProtocolMapperModel, ProtocolMapper> pairwiseMapper) {
        return ((AbstractPairwiseSubMapper) pairwiseMapper.getValue())
                .transformIDToken(new AccessToken(), pairwiseMapper.getKey(), session, userSession, context)
                .getSubject();
    }

    private List<Entry<ProtocolMapperModel, ProtocolMapper>> mappers() {
        return ProtocolMapperUtils.getSortedProtocolMappers(session, context).toList();
    }
}
