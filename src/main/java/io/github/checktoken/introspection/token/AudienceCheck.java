package io.github.checktoken.introspection.token;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.dataprovider.DataProvider;

/**
 * Checks for whom a token is meant (RFC 9701 section 5). If its audience names data providers of the realm by their
 * client_id, it is meant for these alone. Otherwise it is meant for all.
 */
record AudienceCheck(KeycloakSession session, ClientModel caller) {

    /** Keycloak queries the database for each name that no client of the realm has. */
    static final int LIMIT = 200;

    /**
     * @param audience null if there is none
     * @return why the token is not meant for the caller; empty if it is
     */
    Optional<String> rejection(String[] audience) {
        Set<String> names = distinct(audience);
        if (names.contains(caller.getClientId())) {
            return Optional.empty();
        }
        if (names.size() > LIMIT) {
            return Optional.of("More than " + LIMIT + " audiences");
        }
        return names.stream().anyMatch(this::isDataProvider)
                ? Optional.of("The audience names other data providers")
                : Optional.empty();
    }

    /** @param audience null if there is none */
    boolean namesDataProvider(String[] audience) {
        return rejection(audience).isPresent() || distinct(audience).contains(caller.getClientId());
    }

    static Set<String> distinct(String[] audience) {
        return audience == null ? Set.of() : new HashSet<>(Arrays.asList(audience));
    }

    /** A disabled or public one too: it cannot call, but the token is meant for it and not for others. */
    private boolean isDataProvider(String clientId) {
        ClientModel client = session.clients().getClientByClientId(caller.getRealm(), clientId);
        return client != null && DataProvider.withMapper(client).isPresent();
    }
}
