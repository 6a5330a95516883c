package io.github.checktoken.dataprovider;

import java.util.List;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.ProtocolMapperConfigException;
import org.keycloak.protocol.oidc.mappers.AbstractOIDCProtocolMapper;
import org.keycloak.provider.ProviderConfigProperty;

/**
 * Makes its client a data provider. It adds nothing to any token; it holds how the client's answers are signed and
 * encrypted, and the salt of its subjects.
 */
public final class DataProviderMapper extends AbstractOIDCProtocolMapper {

    public static final String PROVIDER_ID = "oidc-data-provider-mapper";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public String getDisplayType() {
        return "Data provider";
    }

    @Override
    public String getDisplayCategory() {
        return "Token introspection";
    }

    @Override
    public String getHelpText() {
        return "Makes the client a data provider: it may post access tokens to checktoken and gets answers that are"
                + " signed and then encrypted for it. Its encryption key is read from the Keys tab, its registered scopes"
                + " are its optional client scopes.";
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return DataProviderConfig.PROPERTIES;
    }

    @Override
    public void validateConfig(
            KeycloakSession session,
            RealmModel realm,
            ProtocolMapperContainerModel container,
            ProtocolMapperModel mapper)
            throws ProtocolMapperConfigException {
        DataProviderConfig.Problem problem =
                new DataProviderConfig(mapper).problem().orElse(null);
        if (problem != null) {
            throw new ProtocolMapperConfigException(
                    "checktokenUnsupportedSetting", problem.toString(), problem.setting(), problem.value());
        }
    }
}
