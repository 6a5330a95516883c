package io.github.checktoken.introspection.admin;

import java.util.List;

import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.TypedQuery;

import org.keycloak.connections.jpa.JpaConnectionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

import io.github.checktoken.introspection.dataprovider.DataProviderMapper;

/**
 * Which clients of a realm are data providers. It asks the database, because Keycloak's model finds no client by its
 * mappers: it would have to read each client of the realm.
 */
final class DataProviderIds {

    /** What holds for a client {@code dataProvider} of a {@link #query} that is one. */
    static final String CONDITION = """
            (exists (
                select 1 from ProtocolMapperEntity mapper
                where mapper.client = dataProvider and mapper.protocolMapper = :mapper)
            or exists (
                select 1 from ClientScopeClientMappingEntity given, ProtocolMapperEntity mapper
                where given.clientId = dataProvider.id and given.defaultScope = true
                    and mapper.clientScope.id = given.clientScopeId and mapper.protocolMapper = :mapper))
            """;

    private static final String QUERY = "select dataProvider.id from ClientEntity dataProvider"
            + " where dataProvider.realmId = :realm and " + CONDITION + " order by dataProvider.clientId";

    private DataProviderIds() {}

    /** @return the ids of the clients, in the database's order of client_ids */
    static List<String> of(KeycloakSession session, RealmModel realm) {
        return query(session, realm, QUERY, String.class).getResultList();
    }

    /** @param text contains {@link #CONDITION}, and {@code :realm} for the id of the realm */
    static <T> TypedQuery<T> query(KeycloakSession session, RealmModel realm, String text, Class<T> type) {
        EntityManager entities =
                session.getProvider(JpaConnectionProvider.class).getEntityManager();
        // This request changes nothing. Otherwise, before each query, Hibernate would look for changes in all clients
        // that the request has read: a filter would take a minute.
        entities.setFlushMode(FlushModeType.COMMIT);
        return entities.createQuery(text, type)
                .setParameter("realm", realm.getId())
                .setParameter("mapper", DataProviderMapper.PROVIDER_ID);
    }
}
