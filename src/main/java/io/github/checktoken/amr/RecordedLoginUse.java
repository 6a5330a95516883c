package io.github.checktoken.amr;

import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;

import io.github.checktoken.dataprovider.DataProviderMapper;
import io.github.checktoken.pin.ConfigurePinFactory;

/**
 * Finds out whether anything in a realm reads what is recorded of logins. If nothing does, nothing is recorded, so that
 * the sessions of a realm that does not use this project are Keycloak's own.
 *
 * <p>Only the client scopes and the client that signs in are searched, because a realm can have thousands of clients. So
 * a mapper that is on another client alone is not seen.
 */
final class RecordedLoginUse {

    private static final Set<String> READERS =
            Set.of(RequestedAmrMapper.PROVIDER_ID, LoginLevelMapper.PROVIDER_ID, DataProviderMapper.PROVIDER_ID);

    private RecordedLoginUse() {}

    static boolean isIn(RealmModel realm, ClientModel client) {
        return Stream.of(
                                Stream.of(client),
                                client.getClientScopes(true).values().stream(),
                                realm.getClientScopesStream())
                        .flatMap(scopes -> scopes)
                        .flatMap(ProtocolMapperContainerModel::getProtocolMappersStream)
                        .map(ProtocolMapperModel::getProtocolMapper)
                        .anyMatch(READERS::contains)
                || realm.getRequiredActionProviderByAlias(ConfigurePinFactory.PROVIDER_ID) != null;
    }
}
