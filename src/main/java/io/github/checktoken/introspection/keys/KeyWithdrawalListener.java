package io.github.checktoken.introspection.keys;

import org.keycloak.cluster.ClusterProvider;
import org.keycloak.jose.jwk.JWK;
import org.keycloak.keys.PublicKeyStorageUtils;
import org.keycloak.keys.infinispan.InfinispanCachePublicKeyProviderFactory;
import org.keycloak.keys.infinispan.PublicKeyStorageInvalidationEvent;
import org.keycloak.models.AbstractKeycloakTransaction;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.utils.KeycloakModelUtils;
import org.keycloak.models.utils.PostMigrationEvent;
import org.keycloak.provider.ProviderEvent;
import org.keycloak.provider.ProviderEventListener;

/**
 * Withdraws the keys of a client that is saved or removed: on this node when that is committed, and on the others when
 * they get the message with which Keycloak withdraws the keys of its own storage. An attribute that is set without a
 * save makes another set, which has no key yet.
 */
record KeyWithdrawalListener(EncryptionKeyCache cache, KeycloakSessionFactory factory)
        implements ProviderEventListener {

    @Override
    public void onEvent(ProviderEvent event) {
        if (event instanceof ClientModel.ClientUpdatedEvent saved) {
            withdrawAfterCommit(saved.getKeycloakSession(), saved.getUpdatedClient());
        } else if (event instanceof ClientModel.ClientRemovedEvent removed) {
            withdrawAfterCommit(removed.getKeycloakSession(), removed.getClient());
        } else if (event instanceof PostMigrationEvent) {
            KeycloakModelUtils.runJobInTransaction(factory, this::listenToOtherNodes);
        }
    }

    private void listenToOtherNodes(KeycloakSession session) {
        session.getProvider(ClusterProvider.class)
                .registerListener(
                        InfinispanCachePublicKeyProviderFactory.PUBLIC_KEY_STORAGE_INVALIDATION_EVENT,
                        event -> cache.withdraw(((PublicKeyStorageInvalidationEvent) event).getCacheKey()));
    }

    private void withdrawAfterCommit(KeycloakSession session, ClientModel client) {
        String cacheKey = PublicKeyStorageUtils.getClientModelCacheKey(
                client.getRealm().getId(), client.getId(), JWK.Use.ENCRYPTION);
        session.getTransactionManager().enlistAfterCompletion(new AbstractKeycloakTransaction() {
            @Override
            protected void commitImpl() {
                cache.withdraw(cacheKey);
            }

            @Override
            protected void rollbackImpl() {}
        });
    }
}
