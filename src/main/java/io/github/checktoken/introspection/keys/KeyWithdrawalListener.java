package io.github.checktoken.introspection.keys;

import org.keycloak.cluster.ClusterProvider;
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
 * Withdraws the keys of a client on all nodes when the client is saved or removed, after the commit. What is changed
 * without a save is another address or inline set, which has no key yet.
 */
record KeyWithdrawalListener(EncryptionKeyCache cache, KeycloakSessionFactory factory)
        implements ProviderEventListener {

    /**
     * Keycloak sends a message of this type with its own key only if the node has used its own storage. Another type
     * could not be sent, because Keycloak has no serialization for it.
     */
    private static final String TASK_KEY = "checktoken-encryption-keys";

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
                        TASK_KEY, event -> cache.withdraw(((PublicKeyStorageInvalidationEvent) event).getCacheKey()));
    }

    private void withdrawAfterCommit(KeycloakSession session, ClientModel client) {
        if (ClientJwks.of(client).isEmpty()) {
            return; // If it gets a set again, that save withdraws the key.
        }
        String clientUuid = client.getId();
        session.getTransactionManager().enlistAfterCompletion(new AbstractKeycloakTransaction() {
            @Override
            protected void commitImpl() {
                cache.withdraw(clientUuid);
                session.getProvider(ClusterProvider.class)
                        .notify(TASK_KEY, PublicKeyStorageInvalidationEvent.create(clientUuid), true);
            }

            @Override
            protected void rollbackImpl() {}
        });
    }
}
