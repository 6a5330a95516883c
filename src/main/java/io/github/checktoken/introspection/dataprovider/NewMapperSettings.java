package io.github.checktoken.introspection.dataprovider;

import java.util.HashMap;

import org.keycloak.common.util.SecretGenerator;
import org.keycloak.crypto.Algorithm;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.utils.KeycloakSessionUtil;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.introspection.jose.AnswerSigner;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * What a new Data provider mapper gets for settings that are blank. In an existing mapper, blank goes on meaning what
 * it did: another salt would change all subjects, and another algorithm would make all answers unreadable.
 */
final class NewMapperSettings {

    private static final Logger logger = Logger.getLogger(NewMapperSettings.class);

    /** In characters, of letters and digits: over 180 bits. */
    private static final int SALT_LENGTH = 32;

    /** An attribute of the session, with the client's id. */
    private static final String NEW_CLIENT = "checktoken.new.client.";

    private NewMapperSettings() {}

    /** Gives a mapper that is not saved yet a random salt, and ES256 if the realm has an active key for it. */
    static void complete(KeycloakSession session, ProtocolMapperModel mapper) {
        if (!new DataProviderConfig(mapper).hasSalt()) {
            set(mapper, DataProviderConfig.SALT, SecretGenerator.getInstance().randomString(SALT_LENGTH));
        }
        if (isBlank(mapper, DataProviderConfig.SIGNATURE_ALGORITHM)
                && AnswerSigner.availableAlgorithms(session).contains(Algorithm.ES256)) {
            set(mapper, DataProviderConfig.SIGNATURE_ALGORITHM, Algorithm.ES256);
        }
    }

    /**
     * Remembers until the end of the transaction that it makes this client, which has no mappers yet. Keycloak 26.5 reports
     * a new client without the session.
     */
    static void rememberNew(ClientModel client) {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        if (session != null) {
            session.setAttribute(NEW_CLIENT + client.getId(), true);
        }
    }

    /**
     * Gives the mappers of a client that is made from JSON their id as the salt if they have none. Keycloak has saved them
     * unchecked. Their subjects are then the same as with a blank salt, and the salt keeps them when the client is exported
     * and imported again. In other clients, a blank salt may be one that was lost, which a warning tells.
     */
    static void completeImport(KeycloakSession session, ClientModel client) {
        if (session.getAttribute(NEW_CLIENT + client.getId()) == null) {
            return;
        }
        client.getProtocolMappersStream()
                .filter(mapper -> DataProviderMapper.PROVIDER_ID.equals(mapper.getProtocolMapper()))
                .filter(mapper -> !new DataProviderConfig(mapper).hasSalt())
                .toList()
                .forEach(mapper -> {
                    set(mapper, DataProviderConfig.SALT, mapper.getId());
                    client.updateProtocolMapper(mapper);
                    logger.infof(
                            "Data provider '%s' is new and has no subject salt, so its salt is the id of the mapper",
                            SingleLineText.of(client.getClientId()));
                });
    }

    private static boolean isBlank(ProtocolMapperModel mapper, String setting) {
        return mapper.getConfig() == null
                || StringUtil.isBlank(mapper.getConfig().get(setting));
    }

    private static void set(ProtocolMapperModel mapper, String setting, String value) {
        if (mapper.getConfig() == null) {
            mapper.setConfig(new HashMap<>());
        }
        mapper.getConfig().put(setting, value);
    }
}
