package io.github.checktoken.introspection.token;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.introspection.dataprovider.DataProviderMapper;
import io.github.checktoken.support.Fake;

/** The clients of a realm, for the checks of whom a token is meant for. The client_id is the id, too. */
final class FakeClients {

    private FakeClients() {}

    static ClientModel dataProvider(String clientId) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setName(clientId);
        mapper.setProtocolMapper(DataProviderMapper.PROVIDER_ID);
        return client(clientId, mapper);
    }

    static ClientModel client(String clientId, ProtocolMapperModel... mappers) {
        return Fake.of(
                ClientModel.class,
                Map.of("getId", clientId, "getClientId", clientId, "getProtocolMappersStream", List.of(mappers)));
    }

    static KeycloakSession session(ClientModel... clients) {
        Map<Object, ClientModel> byId =
                Stream.of(clients).collect(Collectors.toMap(ClientModel::getClientId, it -> it));
        ClientProvider provider = Fake.of(ClientProvider.class, (method, arguments) -> byId.get(arguments[1]));
        return Fake.of(KeycloakSession.class, Map.of("clients", provider));
    }
}
