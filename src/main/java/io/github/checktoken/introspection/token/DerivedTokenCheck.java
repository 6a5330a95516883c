package io.github.checktoken.introspection.token;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.keycloak.authorization.AuthorizationProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.representations.AccessToken;

import io.github.checktoken.introspection.dataprovider.DataProvider;

/**
 * Checks for whom a token is meant that was made from another token. The other one may have named a data provider, which
 * got it and must not make a token for others of it (RFC 9701 section 5, RFC 8707).
 */
record DerivedTokenCheck(KeycloakSession session, ClientModel caller) {

    /**
     * @param tokensClient to which the token was issued
     * @return why the token is not meant for the caller; empty if it may be
     */
    Optional<String> rejection(AccessToken token, TokenOrigin origin, ClientModel tokensClient) {
        // Keycloak sets the claim after all mappers, also when the token is refreshed.
        boolean isPermissionToken = token.getAuthorization() != null;
        if (isPermissionToken && !isOnlyResourceServer(AudienceCheck.distinct(token.getAudience()))) {
            return Optional.of("A permission token of another resource server");
        }
        boolean otherExchanged = !caller.getId().equals(tokensClient.getId())
                && origin.isExchangeAlone()
                && DataProvider.withMapper(tokensClient).isPresent();
        return otherExchanged ? Optional.of("Another data provider exchanged it") : Optional.empty();
    }

    /** The mappers of the resource server's client may have put further names into the audience. */
    private boolean isOnlyResourceServer(Set<String> audience) {
        return audience.size() <= AudienceCheck.LIMIT
                && audience.stream()
                        .filter(this::isResourceServer)
                        .collect(Collectors.toSet())
                        .equals(Set.of(caller.getClientId()));
    }

    private boolean isResourceServer(String clientId) {
        ClientModel client = session.clients().getClientByClientId(caller.getRealm(), clientId);
        return client != null
                && session.getProvider(AuthorizationProvider.class)
                                .getStoreFactory()
                                .getResourceServerStore()
                                .findByClient(client)
                        != null;
    }
}
