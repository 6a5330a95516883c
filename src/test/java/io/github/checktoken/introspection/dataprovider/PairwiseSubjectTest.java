package io.github.checktoken.introspection.dataprovider;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.naming.CommunicationException;

import org.keycloak.common.Profile;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ModelException;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionModel.SessionPersistenceState;
import org.keycloak.protocol.oidc.mappers.SHA256PairwiseSubMapper;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Keycloak's own pairwise mapper, which reads the client's redirect URIs. They can come from the database. */
class PairwiseSubjectTest {

    @BeforeAll
    static void enableTheUsualFeatures() {
        Profile.defaults();
    }

    @ParameterizedTest
    @MethodSource
    void nobodyGetsAnotherSubjectBecauseTheMapperFails(RuntimeException failure) {
        assertSame(failure, assertThrows(RuntimeException.class, () -> subject(failure)));
    }

    static List<RuntimeException> nobodyGetsAnotherSubjectBecauseTheMapperFails() {
        return List.of(
                new ModelException("Database operation failed", new SQLException("", "08006")),
                new ModelException("LDAP Query failed", new CommunicationException()),
                new IllegalStateException());
    }

    /** Shows that the exception of the first test is the mapper's, and not that of an incomplete fake. */
    @Test
    void subjectIsTheMappers() {
        SHA256PairwiseSubMapper keycloaks = new SHA256PairwiseSubMapper();
        assertEquals(
                keycloaks.generateSub(mapper(keycloaks.getId()), "dp.example.org", "person"),
                subject(Set.of("https://dp.example.org/")));
    }

    /** @param redirectUris those of the data provider, or the exception that reading them leads to */
    private static String subject(Object redirectUris) {
        SHA256PairwiseSubMapper provider = new SHA256PairwiseSubMapper();
        ProtocolMapperModel pairwise = mapper(provider.getId());
        // Keycloak runs only the mappers of the client's protocol.
        pairwise.setProtocol("openid-connect");
        ClientModel client = Fake.of(
                ClientModel.class,
                Map.of(
                        "getClientId",
                        "dp",
                        "getProtocol",
                        "openid-connect",
                        "getProtocolMappersStream",
                        List.of(mapper(DataProviderMapper.PROVIDER_ID), pairwise),
                        "getRedirectUris",
                        redirectUris));
        KeycloakSession session = Fake.of(
                KeycloakSession.class,
                Map.of(
                        "getContext",
                        Fake.of(KeycloakContext.class, Map.of()),
                        "getKeycloakSessionFactory",
                        Fake.of(KeycloakSessionFactory.class, Map.of("getProviderFactory", provider))));
        return new PairwiseSubject(DataProvider.of(client).orElseThrow())
                .of(ProtocolMapperRunner.of(session, client, "", userSession(client)));
    }

    private static ProtocolMapperModel mapper(String type) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId(type);
        mapper.setName(type);
        mapper.setProtocolMapper(type);
        mapper.setConfig(Map.of(DataProviderConfig.SALT, "salt"));
        return mapper;
    }

    /** A transient one, which is used as it is. */
    private static UserSessionModel userSession(ClientModel client) {
        Map<String, Object> results = new HashMap<>();
        UserSessionModel userSession = Fake.of(UserSessionModel.class, results);
        results.put("getPersistenceState", SessionPersistenceState.TRANSIENT);
        results.put("getUser", Fake.of(UserModel.class, Map.of("getId", "person")));
        results.put(
                "getAuthenticatedClientSessionByClient",
                Fake.of(
                        AuthenticatedClientSessionModel.class,
                        Map.of("getClient", client, "getUserSession", userSession)));
        return userSession;
    }
}
