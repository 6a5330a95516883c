package io.github.checktoken.introspection.admin;

import java.util.List;

import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;

import org.keycloak.connections.jpa.JpaConnectionProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

import io.github.checktoken.introspection.dataprovider.DataProviderMapper;

/**
 * Which clients of a realm are data providers. It asks the database, because Keycloak's model finds no client by its
 * mappers: it would have to read each client of the realm.
 */
final class DataProviderIds {

    private static final String QUERY = """
            select client.id from ClientEntity client
            where client.realmId = :realm and (
                exists (
                    select 1 from ProtocolMapperEntity mapper
                    where mapper.client = client and mapper.protocolMapper = :mapper)
                or exists (
                    select 1 from ClientScopeClientMappingEntity assigned, ProtocolMapperEntity mapper
                    where assigned.clientId = client.id and assigned.defaultScope = true
                        and mapper.clientScope.id = assigned.clientScopeId and mapper.protocolMapper = :mapper))
            order by client.clientId
            """;

    private DataProviderIds() {}

    /** @return the ids of the clients, in the database's order of client_ids */
    static List<String> of(KeycloakSession session, RealmModel realm) {
        EntityManager entities =
                session.getProvider(JpaConnectionProvider.class).getEntityManager();
        // This request changes nothing. Otherwise, before each query, Hibernate would look for changes in all clients
        // that the request has read: a filter would take a minute.
        entities.setFlushMode(FlushModeType.COMMIT);
        return entities.createQuery(QUERY, String.class)
                .setParameter("realm", realm.getId())
                .setParameter("mapper", DataProviderMapper.PROVIDER_ID)
                .getResultList();
    }
}
