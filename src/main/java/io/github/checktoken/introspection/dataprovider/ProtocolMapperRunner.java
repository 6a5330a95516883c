package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.UserModel;
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
import com.fasterxml.jackson.databind.JavaType;

/**
 * Runs the data provider's own mappers for the token's user, as if that user had a session there. The session is a
 * transient copy, so that nothing is stored.
 */
final class ProtocolMapperRunner {

    private static final JavaType CLAIMS =
            JsonSerialization.mapper.constructType(new TypeReference<Map<String, Object>>() {});

    /**
     * A mapper of session notes must not tell the tokens of an identity provider ({@code IdentityProvider}), nor what the
     * login half has noted: nobody signs in at a data provider.
     */
    private static final Set<String> NOTES_OF_NO_MAPPER = Set.of("FEDERATED_", "checktoken.");

    private final KeycloakSession session;
    private final UserSessionModel userSession;
    private final ClientSessionContext context;
    private final List<Entry<ProtocolMapperModel, ProtocolMapper>> mappers;

    private ProtocolMapperRunner(KeycloakSession session, UserSessionModel userSession, ClientSessionContext context) {
        this.session = session;
        this.userSession = userSession;
        this.context = context;
        this.mappers =
                ProtocolMapperUtils.getSortedProtocolMappers(session, context).toList();
    }

    /**
     * @param scope the token's registered scopes; their mappers run in addition to those of the default client scopes
     */
    static ProtocolMapperRunner of(
            KeycloakSession session, ClientModel client, String scope, UserSessionModel userSession) {
        boolean stored = userSession.getPersistenceState() != SessionPersistenceState.TRANSIENT;
        UserSessionModel copy = stored ? UserSessionUtil.createTransientUserSession(session, userSession) : userSession;
        copy.getNotes().keySet().stream()
                .filter(note -> NOTES_OF_NO_MAPPER.stream().anyMatch(note::startsWith))
                .toList()
                .forEach(copy::removeNote);
        // A new copy has no client sessions, and Keycloak would look for one in the database at each call.
        AuthenticatedClientSessionModel clientSession =
                stored ? null : copy.getAuthenticatedClientSessionByClient(client.getId());
        if (clientSession == null) {
            clientSession = session.sessions().createClientSession(client.getRealm(), client, copy);
        }
        // Keycloak's check of the token and the service provider's mappers set the token's organization in the context.
        session.getContext().setOrganization(null);
        return new ProtocolMapperRunner(
                session,
                copy,
                new AllOrganizationsContext(
                        DefaultClientSessionContext.fromClientSessionAndScopeParameter(clientSession, scope, session)));
    }

    UserModel user() {
        return userSession.getUser();
    }

    /**
     * Identity claims by name: the claims that mappers with "Add to token introspection" set, without empty and
     * unusable values and protocol members.
     *
     * @return empty for a service account, even if an administrator filled in attributes, because it is not a person
     */
    Map<String, Object> identity() {
        if (user().getServiceAccountClientLink() != null) {
            return Map.of();
        }
        AccessToken token = new AccessToken();
        for (Entry<ProtocolMapperModel, ProtocolMapper> entry : mappers) {
            if (entry.getValue() instanceof TokenIntrospectionTokenMapper mapper
                    && !(mapper instanceof AbstractPairwiseSubMapper)) {
                token = mapper.transformIntrospectionToken(token, entry.getKey(), session, userSession, context);
            }
        }
        Map<String, OmissionCause> unusable = UnusableClaimFilter.removeFrom(token.getOtherClaims());
        Map<String, Object> claims = JsonSerialization.mapper.convertValue(token, CLAIMS);
        claims.keySet().removeAll(ReservedClaims.NAMES);
        EmptyClaimFilter.removeFrom(claims);
        ClientModel client = context.getClientSession().getClient();
        unusable.forEach((claim, cause) -> OmittedClaims.of(session).record(client, claim, cause, Optional.empty()));
        ContractFormats.removeFrom(claims, client.getRealm().getAttribute(ContractFormats.UNCHECKED))
                .forEach((claim, cause) -> OmittedClaims.of(session).record(client, claim, cause, lastMapperOf(claim)));
        return claims;
    }

    /** @return the mapper whose value counts; empty for one that names no claim */
    private Optional<ProtocolMapperModel> lastMapperOf(String claim) {
        return mappers.stream()
                .map(Entry::getKey)
                .filter(mapper -> BroadClientScope.isInAnswers(session, mapper))
                .filter(mapper ->
                        BroadClientScope.claim(mapper).filter(claim::equals).isPresent())
                .reduce((earlier, later) -> later);
    }

    /** The data provider's pairwise mappers of Keycloak, each with its settings. */
    List<Entry<ProtocolMapperModel, ProtocolMapper>> pairwiseMappers() {
        return mappers.stream()
                .filter(entry -> entry.getValue() instanceof AbstractPairwiseSubMapper)
                .toList();
    }

    /** @return the subject that a pairwise mapper puts into this client's ID token at a login */
    String subject(Entry<ProtocolMapperModel, ProtocolMapper> pairwiseMapper) {
        return ((AbstractPairwiseSubMapper) pairwiseMapper.getValue())
                .transformIDToken(new AccessToken(), pairwiseMapper.getKey(), session, userSession, context)
                .getSubject();
    }
}
