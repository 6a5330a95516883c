package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.common.constants.ServiceAccountConstants;
import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.AddressMapper;
import org.keycloak.protocol.oidc.mappers.FullNameMapper;
import org.keycloak.protocol.oidc.mappers.OIDCAttributeMapperHelper;
import org.keycloak.protocol.oidc.mappers.TokenIntrospectionTokenMapper;

/**
 * A client scope whose mappers put more than identity data into answers, as Keycloak's own scopes {@code profile} and
 * {@code email} do.
 *
 * @param name the name of the client scope
 * @param claims the names of the claims that are no identity data, in alphabetical order; at least one
 */
public record BroadClientScope(String name, List<String> claims) {

    /** The identity data of the service. */
    private static final Set<String> IDENTITY = Set.of(
            "gender", "family_name", "given_name", GivenNamesMapper.CLAIM, "birthdate", "birthplace", "birthcountry");

    /** Keycloak assigns these mappers to every client with a service account. The session of a person has no values. */
    private static final Set<String> SERVICE_ACCOUNT =
            Set.of(ServiceAccountConstants.CLIENT_HOST, ServiceAccountConstants.CLIENT_ADDRESS);

    /** The claims of mappers that have no setting for it. Keycloak's other mappers of this kind set reserved claims. */
    private static final Map<String, String> FIXED_CLAIMS = Map.of(
            FullNameMapper.PROVIDER_ID, "name",
            AddressMapper.PROVIDER_ID, "address",
            GivenNamesMapper.PROVIDER_ID, GivenNamesMapper.CLAIM);

    /** @return empty if the mappers give identity data only, or nothing */
    static Optional<BroadClientScope> of(KeycloakSession session, ClientScopeModel scope) {
        List<String> claims = claims(session, scope)
                .filter(claim -> !IDENTITY.contains(claim))
                .distinct()
                .sorted()
                .toList();
        return claims.isEmpty() ? Optional.empty() : Optional.of(new BroadClientScope(scope.getName(), claims));
    }

    /** Whether a client or a client scope has a mapper that puts identity data into answers. */
    static boolean hasIdentity(KeycloakSession session, ProtocolMapperContainerModel container) {
        return claims(session, container).anyMatch(IDENTITY::contains);
    }

    /** @return the claims that the mappers of a client or a client scope put into answers about people */
    static Stream<String> claims(KeycloakSession session, ProtocolMapperContainerModel container) {
        return container
                .getProtocolMappersStream()
                .filter(mapper -> isInAnswers(session, mapper))
                .flatMap(mapper -> claim(mapper).stream())
                .filter(claim -> !SERVICE_ACCOUNT.contains(claim))
                .filter(claim -> !ReservedClaims.NAMES.contains(claim));
    }

    /** Whether a mapper has "Add to token introspection". */
    static boolean isInAnswers(KeycloakSession session, ProtocolMapperModel mapper) {
        return mapper.getConfig() != null
                && session.getKeycloakSessionFactory()
                                .getProviderFactory(ProtocolMapper.class, mapper.getProtocolMapper())
                        instanceof TokenIntrospectionTokenMapper
                && OIDCAttributeMapperHelper.includeInIntrospection(mapper);
    }

    /** @return the claim at the top level: {@code a} if the mapper's setting is {@code a.b} */
    static Optional<String> claim(ProtocolMapperModel mapper) {
        String name = mapper.getConfig().get(OIDCAttributeMapperHelper.TOKEN_CLAIM_NAME);
        return Optional.ofNullable(name)
                // A backslash before a full stop makes it part of the claim's name.
                .map(path -> path.split("(?<!\\\\)\\.", 2)[0].replace("\\.", "."))
                .or(() -> Optional.ofNullable(FIXED_CLAIMS.get(mapper.getProtocolMapper())));
    }
}
