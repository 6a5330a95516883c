package io.github.checktoken.login.amr;

import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.ProtocolMapper;

import io.github.checktoken.keycloak.RecordedLoginReader;
import io.github.checktoken.login.pin.ConfigurePin;

/**
 * Finds out whether anything in a realm reads what is recorded of logins. If nothing does, nothing is recorded, so that
 * the sessions of a realm that does not use this project are Keycloak's own.
 *
 * <p>That is <em>Configure PIN</em>, or a mapper. Of the mappers, only those of client scopes and of the client that signs
 * in are searched, because a realm can have thousands of clients.
 */
final class RecordedLoginUse {

    private RecordedLoginUse() {}

    static boolean isIn(KeycloakSession session, RealmModel realm, ClientModel client) {
        KeycloakSessionFactory factory = session.getKeycloakSessionFactory();
        return Stream.of(
                                Stream.of(client),
                                client.getClientScopes(true).values().stream(),
                                realm.getClientScopesStream())
                        .flatMap(scopes -> scopes)
                        .flatMap(ProtocolMapperContainerModel::getProtocolMappersStream)
                        .map(mapper -> factory.getProviderFactory(ProtocolMapper.class, mapper.getProtocolMapper()))
                        .anyMatch(RecordedLoginReader.class::isInstance)
                || realm.getRequiredActionProviderByAlias(ConfigurePin.PROVIDER_ID) != null;
    }
}
