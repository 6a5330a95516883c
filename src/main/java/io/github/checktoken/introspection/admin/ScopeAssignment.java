package io.github.checktoken.introspection.admin;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * That an enabled client has a registered scope of a data provider. There is none for a scope that the realm gives to
 * every new client, such as {@code phone}.
 *
 * @param name of the client, in the given language; left out if it has none
 * @param dataProvider whether the client is one; otherwise it may ask for the scope
 * @param byDefault whether the scope is a default client scope, which makes it no registered scope of a data provider
 */
record ScopeAssignment(
        String clientId,
        @JsonInclude(JsonInclude.Include.NON_NULL) String name,
        boolean dataProvider,
        String scope,
        boolean byDefault) {

    private static final int MAX = 20_000;

    /** Reads names only, because Keycloak's model would read each client of the realm. */
    private static final String QUERY = """
            select client.id, client.clientId, client.name, scope.name, assigned.defaultScope
            from ClientEntity client, ClientScopeClientMappingEntity assigned, ClientScopeEntity scope
            where client.realmId = :realm and client.enabled = true
                and assigned.clientId = client.id and scope.id = assigned.clientScopeId
                and scope.id in (
                    select own.clientScopeId from ClientScopeClientMappingEntity own, ClientEntity dataProvider
                    where own.clientId = dataProvider.id and own.defaultScope = false
                        and dataProvider.realmId = :realm and %s)
                and not exists (
                    select 1 from DefaultClientScopeRealmMappingEntity usual
                    where usual.clientScopeId = scope.id and usual.realm.id = :realm)
            order by client.clientId, scope.name
            """.formatted(DataProviderIds.CONDITION);

    /** A name that is a key of the realm's texts. */
    private static final Pattern KEY = Pattern.compile("\\$\\{(.+)}");

    /** @return at most {@value #MAX}, sorted by client and scope */
    static List<ScopeAssignment> of(KeycloakSession session, RealmModel realm, String language) {
        Set<String> dataProviders = Set.copyOf(DataProviderIds.of(session, realm));
        Map<String, String> texts = realm.getRealmLocalizationTextsByLocale(language);
        return DataProviderIds.query(session, realm, QUERY, Object[].class).setMaxResults(MAX).getResultList().stream()
                .map(row -> new ScopeAssignment(
                        (String) row[1],
                        name((String) row[2], texts),
                        dataProviders.contains(row[0]),
                        (String) row[3],
                        (Boolean) row[4]))
                .toList();
    }

    private static String name(String name, Map<String, String> texts) {
        Matcher key = KEY.matcher(name == null ? "" : name);
        return key.matches() ? texts.getOrDefault(key.group(1), name) : name;
    }
}
