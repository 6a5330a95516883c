package io.github.checktoken.introspection.admin;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.resources.admin.AdminRoot;

import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.text.OwnMessages;

/**
 * Finds the settings, keys and problems of several data providers.
 *
 * @param locale of the texts; null for the realm's
 */
record DataProviderChecks(KeycloakSession session, RealmModel realm, String locale) {

    /** How long to wait for the keys of all data providers together, from the time when the first one is read. */
    private static final Duration KEY_WAIT = Duration.ofSeconds(1);

    /**
     * The keys are loaded while the next clients are read.
     *
     * @param ids of clients; one that is no data provider is left out
     */
    List<DataProviderStatus> statuses(List<String> ids) {
        long deadline = System.nanoTime() + KEY_WAIT.toNanos();
        List<DataProvider> dataProviders = ids.stream()
                .map(realm::getClientById)
                .filter(Objects::nonNull)
                .flatMap(client -> DataProvider.withMapper(client).stream())
                .peek(this::prepareKey)
                .toList();
        Properties messages = AdminRoot.getMessages(session, realm, locale, OwnMessages.BUNDLE, "messages");
        return dataProviders.stream()
                .map(dataProvider -> new DataProviderCheck(session, messages, dataProvider, deadline).status())
                .toList();
    }

    private void prepareKey(DataProvider dataProvider) {
        if (dataProvider.config().isKeyAlgorithmSupported()) {
            session.getProvider(EncryptionKeyProvider.class)
                    .prepare(dataProvider.client(), dataProvider.config().keyAlgorithm());
        }
    }
}
