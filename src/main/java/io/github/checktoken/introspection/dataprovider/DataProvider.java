package io.github.checktoken.introspection.dataprovider;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.TokenManager;

/** A client with the {@link DataProviderMapper}: it may call checktoken if it is confidential. */
public record DataProvider(ClientModel client, DataProviderConfig config) {

    /** @return empty for a public client, and for a client without the mapper */
    public static Optional<DataProvider> of(ClientModel client) {
        return withMapper(client).filter(dataProvider -> !client.isPublicClient());
    }

    /**
     * Unlike {@link #of}, also finds public clients, which may not call checktoken.
     *
     * @return empty if neither the client nor one of its default client scopes has the mapper
     */
    public static Optional<DataProvider> withMapper(ClientModel client) {
        return mapper(client)
                .or(() -> client.getClientScopes(true).values().stream()
                        .sorted(Comparator.comparing(ClientScopeModel::getName))
                        .flatMap(scope -> mapper(scope).stream())
                        .findFirst())
                .map(mapper -> new DataProvider(client, new DataProviderConfig(mapper)));
    }

    static boolean hasOwnMapper(ClientModel client) {
        return mapper(client).isPresent();
    }

    private static Optional<ProtocolMapperModel> mapper(ProtocolMapperContainerModel container) {
        return container
                .getProtocolMappersStream()
                .filter(mapper -> DataProviderMapper.PROVIDER_ID.equals(mapper.getProtocolMapper()))
                .min(Comparator.comparing(ProtocolMapperModel::getName));
    }

    /** Its default client scopes that put more than identity data into every answer, sorted by name. */
    public List<BroadClientScope> broadDefaultScopes(KeycloakSession session) {
        return client.getClientScopes(true).values().stream()
                .flatMap(scope -> BroadClientScope.of(session, scope).stream())
                .sorted(Comparator.comparing(BroadClientScope::name))
                .toList();
    }

    /** Whether answers have identity data, from the client itself or from one of its default client scopes. */
    public boolean hasIdentity(KeycloakSession session) {
        return alwaysApplied().anyMatch(container -> BroadClientScope.hasIdentity(session, container));
    }

    /** The names of the claims that the client and its default client scopes put into answers, sorted. */
    public List<String> claims(KeycloakSession session) {
        return claims(session, alwaysApplied());
    }

    /** Its registered scopes, each with the names of the claims that it adds, all sorted. */
    public SortedMap<String, List<String>> claimsByScope(KeycloakSession session) {
        SortedMap<String, List<String>> claims = new TreeMap<>();
        client.getClientScopes(false).forEach((name, scope) -> claims.put(name, claims(session, Stream.of(scope))));
        return claims;
    }

    private static List<String> claims(
            KeycloakSession session, Stream<? extends ProtocolMapperContainerModel> containers) {
        return containers
                .flatMap(container -> BroadClientScope.claims(session, container))
                .distinct()
                .sorted()
                .toList();
    }

    /** All mappers of the client and its client scopes that have settings. */
    public Stream<ProtocolMapperModel> mappers() {
        return Stream.concat(alwaysApplied(), client.getClientScopes(false).values().stream())
                .flatMap(ProtocolMapperContainerModel::getProtocolMappersStream)
                .filter(mapper -> mapper.getConfig() != null);
    }

    private Stream<? extends ProtocolMapperContainerModel> alwaysApplied() {
        return Stream.concat(Stream.of(client), client.getClientScopes(true).values().stream());
    }

    /**
     * Computes what this data provider learns from an active token.
     *
     * @param tokenScope the token's scopes, separated by spaces
     * @param userSession the token's user session; a persistent one is not changed
     */
    public DisclosedData disclose(KeycloakSession session, String tokenScope, UserSessionModel userSession) {
        String scope = registered(tokenScope);
        if (scope.isEmpty() && config.requiresScope()) {
            return DisclosedData.NOTHING;
        }
        ProtocolMapperRunner mappers = ProtocolMapperRunner.of(session, client, scope, userSession);
        return new DisclosedData(new PairwiseSubject(this).of(mappers), scope, mappers.identity());
    }

    /**
     * @param tokenScope separated by spaces
     * @return those scopes that are optional client scopes of this client, in the given order, separated by single
     *     spaces
     */
    String registered(String tokenScope) {
        Map<String, ClientScopeModel> registered = client.getClientScopes(false);
        return TokenManager.parseScopeParameter(tokenScope)
                .filter(registered::containsKey)
                .collect(Collectors.joining(" "));
    }
}
