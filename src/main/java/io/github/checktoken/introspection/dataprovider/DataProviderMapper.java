package io.github.checktoken.introspection.dataprovider;

import jakarta.ws.rs.core.Response;

import org.keycloak.OAuthErrorException;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.ProtocolMapperConfigException;
import org.keycloak.services.ErrorResponseException;

import io.github.checktoken.introspection.keys.ClientJwks;
import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.OwnProtocolMapper;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.RealmUse;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Makes its client a data provider. It adds nothing to any token. Its settings say how the client's answers are signed
 * and encrypted, and which salt its subjects have.
 */
public final class DataProviderMapper extends OwnProtocolMapper {

    public static final String PROVIDER_ID = "oidc-data-provider-mapper";

    private static final Logger logger = Logger.getLogger(DataProviderMapper.class);

    final OmittedClaims omittedClaims = new OmittedClaims();
    final AnswerCounts answerCounts = new AnswerCounts();
    final ClientCertificates clientCertificates = new ClientCertificates();

    public DataProviderMapper() {
        super(
                PROVIDER_ID,
                "Data provider",
                "Makes the client a data provider: it may post access tokens to checktoken and gets answers that are"
                        + " signed and then encrypted for it. Its encryption key comes from the Keys tab, and its registered"
                        + " scopes are its optional client scopes.",
                DataProviderConfig.PROPERTIES);
    }

    /** @return the only instance, which has what this node remembers of its data providers */
    static DataProviderMapper of(KeycloakSession session) {
        return (DataProviderMapper)
                session.getKeycloakSessionFactory().getProviderFactory(ProtocolMapper.class, PROVIDER_ID);
    }

    @Override
    public String getDisplayCategory() {
        return "Token introspection";
    }

    /**
     * Rejects the save or import of an enabled data provider if its JWKS is too large or has a private key, or if its URL
     * is not allowed. Gives a salt to one that is imported without.
     */
    @Override
    public void postInit(KeycloakSessionFactory factory) {
        if (!KeycloakCompatibility.supports(Part.INTROSPECTION)) {
            return;
        }
        super.postInit(factory);
        factory.register(event -> {
            if (event instanceof ClientModel.ClientCreationEvent created) {
                NewMapperSettings.rememberNew(created.getCreatedClient());
            } else if (event instanceof ClientModel.ClientUpdatedEvent updated
                    && mayBeDataProvider(updated.getKeycloakSession(), updated.getUpdatedClient())) {
                requireUsableJwks(updated.getUpdatedClient());
                NewMapperSettings.completeImport(updated.getKeycloakSession(), updated.getUpdatedClient());
            }
        });
    }

    /** Looks at its own mappers first: {@link RealmUse} does not know the realm's first data provider yet. */
    private static boolean mayBeDataProvider(KeycloakSession session, ClientModel client) {
        return DataProvider.hasOwnMapper(client) || RealmUse.usesIntrospection(session, client.getRealm());
    }

    private static void requireUsableJwks(ClientModel client) {
        if (client.isEnabled() && DataProvider.withMapper(client).isPresent()) {
            ClientJwks.of(client).flatMap(ClientJwks::problemOnSave).ifPresent(problem -> {
                // After an import, the administrator finds the reason only in the log.
                logger.warnf("Data provider '%s' is not saved: %s", SingleLineText.of(client.getClientId()), problem);
                throw new ErrorResponseException(
                        OAuthErrorException.INVALID_CLIENT_METADATA,
                        "The JWKS of the data provider cannot be used: " + problem + ".",
                        Response.Status.BAD_REQUEST);
            });
        }
    }

    @Override
    public void validateConfig(
            KeycloakSession session,
            RealmModel realm,
            ProtocolMapperContainerModel container,
            ProtocolMapperModel mapper)
            throws ProtocolMapperConfigException {
        if (!KeycloakCompatibility.supports(Part.INTROSPECTION)) {
            return;
        }
        super.validateConfig(session, realm, container, mapper);
        DataProviderConfig config = new DataProviderConfig(mapper);
        UnsupportedSetting problem =
                config.unsupportedSettings().stream().findFirst().orElse(null);
        if (problem == null && container instanceof ClientModel client) {
            String jwks =
                    ClientJwks.of(client).flatMap(ClientJwks::problemOnSave).orElse(null);
            if (jwks != null) {
                throw new ProtocolMapperConfigException("checktokenUnusableJwks", jwks, jwks);
            }
        }
        if (problem != null) {
            throw new ProtocolMapperConfigException(
                    "checktokenUnsupportedSetting", problem.toString(), problem.setting(), problem.value());
        }
        if (config.isContactAddressInvalid()) {
            throw new ProtocolMapperConfigException("contact.address is no e-mail address", "checktokenContactInvalid");
        }
        if (mapper.getId() == null) {
            NewMapperSettings.complete(session, mapper);
        }
    }
}
