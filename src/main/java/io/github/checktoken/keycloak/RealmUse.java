package io.github.checktoken.keycloak;

import java.util.HashSet;
import java.util.Set;

import org.keycloak.connections.jpa.JpaConnectionProvider;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticationExecutionModel.Requirement;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.cache.CachedRealmModel;

/**
 * Whether a realm uses this project. The answer is kept with the realm in Keycloak's cache, so a request costs no query.
 * Keycloak drops the realm from the caches of all nodes when its flows, required actions or client scopes change, and
 * {@link RealmUseCheck} does so when a mapper is saved. If the last mapper is removed on the page of mappers, or with its
 * client, the realm counts as one that uses it until Keycloak reads the realm again.
 *
 * <p>The identity provider mapper does not count, because alone it tells nothing: its methods are told by the amr mapper.
 *
 * @param login whether a client or a client scope has a mapper for {@code amr} or {@code acr}, a flow has one of our
 *     authenticators that is not disabled, or the required action for the PIN is enabled
 * @param introspection whether a client or a client scope has the Data provider mapper
 */
public record RealmUse(boolean login, boolean introspection) {

    static final RealmUse NONE = new RealmUse(false, false);

    static final String DATA_PROVIDER = "oidc-data-provider-mapper";
    static final Set<String> LOGIN_MAPPERS = Set.of("oidc-requested-amr-mapper", "oidc-login-acr-mapper");
    static final Set<String> AUTHENTICATORS = Set.of(
            "auth-email-code-form", "auth-pin-form", "direct-grant-validate-pin", "conditional-authentication-method");
    static final String REQUIRED_ACTION = "configure-pin";

    /** A key of what is kept with the realm; with the id of the realm, an attribute of the session. */
    private static final String KEY = RealmUse.class.getName();

    /** A realm has clients by the thousand. So it does not read them, but looks for our mappers. */
    private static final String MAPPERS = """
            select distinct mapper.protocolMapper from ProtocolMapperEntity mapper
            left join mapper.client client left join mapper.clientScope scope
            where mapper.protocolMapper in (:ours) and (client.realmId = :realm or scope.realmId = :realm)
            """;

    /** Whether it tells how people signed in, or has our steps in its logins. */
    public static boolean usesLogin(KeycloakSession session, RealmModel realm) {
        return of(session, realm).login;
    }

    /** Whether it has a data provider. */
    public static boolean usesIntrospection(KeycloakSession session, RealmModel realm) {
        return of(session, realm).introspection;
    }

    private static RealmUse of(KeycloakSession session, RealmModel realm) {
        if (!KeycloakCompatibility.supports(Part.SHARED)) {
            return new RealmUse(hasStep(realm), false);
        }
        RealmUse use = realm instanceof CachedRealmModel cached ? kept(cached) : null;
        if (use == null && realm instanceof CachedRealmModel cached && !RealmUseCheck.isPending(session, realm)) {
            use = find(session, realm);
            keep(cached, use);
        }
        return use == null ? ofSession(session, realm) : use;
    }

    /** For a realm that Keycloak does not cache, and while the transaction changes the answer: it may be rolled back. */
    private static RealmUse ofSession(KeycloakSession session, RealmModel realm) {
        String key = KEY + realm.getId();
        if (session.getAttribute(key) == null) {
            session.setAttribute(key, find(session, realm));
        }
        return (RealmUse) session.getAttribute(key);
    }

    /** @return null if nobody has asked yet */
    static RealmUse kept(CachedRealmModel realm) {
        return (RealmUse) realm.getCachedWith().get(KEY);
    }

    @SuppressWarnings("unchecked")
    private static void keep(CachedRealmModel realm, RealmUse use) {
        realm.getCachedWith().put(KEY, use);
    }

    static RealmUse find(KeycloakSession session, RealmModel realm) {
        Set<String> ours = new HashSet<>(LOGIN_MAPPERS);
        ours.add(DATA_PROVIDER);
        Set<String> found = new HashSet<>(session.getProvider(JpaConnectionProvider.class)
                .getEntityManager()
                .createQuery(MAPPERS, String.class)
                .setParameter("ours", ours)
                .setParameter("realm", realm.getId())
                .getResultList());
        boolean introspection = found.remove(DATA_PROVIDER);
        return new RealmUse(!found.isEmpty() || hasStep(realm), introspection);
    }

    static boolean hasStep(RealmModel realm) {
        return realm.getAuthenticationFlowsStream()
                        .flatMap(flow -> realm.getAuthenticationExecutionsStream(flow.getId()))
                        .anyMatch(RealmUse::isOurs)
                || realm.getRequiredActionProvidersStream()
                        .anyMatch(action -> action.isEnabled() && REQUIRED_ACTION.equals(action.getProviderId()));
    }

    private static boolean isOurs(AuthenticationExecutionModel execution) {
        return execution.getAuthenticator() != null
                && AUTHENTICATORS.contains(execution.getAuthenticator())
                && execution.getRequirement() != Requirement.DISABLED;
    }
}
