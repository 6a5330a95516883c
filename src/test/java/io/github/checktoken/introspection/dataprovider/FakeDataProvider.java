package io.github.checktoken.introspection.dataprovider;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionModel.SessionPersistenceState;
import org.keycloak.protocol.ProtocolMapper;

import io.github.checktoken.support.Fake;

/** A data provider with these mappers, and a person's session, which is transient and so is used as it is. */
record FakeDataProvider(DataProvider dataProvider, KeycloakSession session, UserSessionModel userSession) {

    /**
     * @param redirectUris those of the data provider, or the exception that reading them leads to
     * @param user what the methods of the person return
     * @param mappers of the kind that {@code kind} is
     */
    static FakeDataProvider of(
            Object redirectUris, Map<String, ?> user, ProtocolMapper kind, ProtocolMapperModel... mappers) {
        ProtocolMapperModel own = mapper(DataProviderMapper.PROVIDER_ID, Map.of(DataProviderConfig.SALT, "salt"));
        ClientModel client = Fake.of(
                ClientModel.class,
                Map.of(
                        "getClientId",
                        "dp",
                        "getProtocol",
                        "openid-connect",
                        "getRealm",
                        Fake.of(RealmModel.class, Map.of()),
                        "getProtocolMappersStream",
                        Stream.concat(Stream.of(own), Stream.of(mappers)).toList(),
                        "getRedirectUris",
                        redirectUris));
        KeycloakSession session = Fake.of(
                KeycloakSession.class,
                Map.of(
                        "getContext",
                        Fake.of(KeycloakContext.class, Map.of()),
                        "getKeycloakSessionFactory",
                        Fake.of(
                                KeycloakSessionFactory.class,
                                (method, arguments) -> own.getId().equals(arguments[1]) ? null : kind)));
        return new FakeDataProvider(DataProvider.of(client).orElseThrow(), session, userSession(client, user));
    }

    /** Keycloak runs only the mappers of the client's protocol. */
    static ProtocolMapperModel mapper(String id, Map<String, String> settings) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId(id);
        mapper.setName(id);
        mapper.setProtocol("openid-connect");
        mapper.setProtocolMapper(id);
        mapper.setConfig(settings);
        return mapper;
    }

    ProtocolMapperRunner mappers() {
        return ProtocolMapperRunner.of(session, dataProvider.client(), "", userSession);
    }

    private static UserSessionModel userSession(ClientModel client, Map<String, ?> user) {
        Map<String, Object> results = new HashMap<>();
        UserSessionModel userSession = Fake.of(UserSessionModel.class, results);
        results.put("getPersistenceState", SessionPersistenceState.TRANSIENT);
        results.put("getUser", Fake.of(UserModel.class, user));
        results.put(
                "getAuthenticatedClientSessionByClient",
                Fake.of(
                        AuthenticatedClientSessionModel.class,
                        Map.of("getClient", client, "getUserSession", userSession)));
        return userSession;
    }
}
