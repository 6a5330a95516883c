package io.github.checktoken.keycloak;

import java.util.ArrayList;
import java.util.List;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.ProtocolMapperConfigException;
import org.keycloak.protocol.oidc.mappers.AbstractOIDCProtocolMapper;
import org.keycloak.protocol.oidc.mappers.OIDCAttributeMapperHelper;
import org.keycloak.provider.ProviderConfigProperty;

/**
 * What this project's protocol mappers have in common: how the Admin Console lists them, and that saving one can make its
 * realm one that uses this project.
 */
public abstract class OwnProtocolMapper extends AbstractOIDCProtocolMapper {

    private final String id;
    private final String displayType;
    private final String helpText;
    private final List<ProviderConfigProperty> properties;

    /** @param displayType the mapper's name in English */
    protected OwnProtocolMapper(
            String id, String displayType, String helpText, List<ProviderConfigProperty> properties) {
        this.id = id;
        this.displayType = displayType;
        this.helpText = helpText;
        this.properties = properties;
    }

    /** Keycloak's switches for the tokens to which such a mapper can add its claim. */
    protected static List<ProviderConfigProperty> tokenSwitches(Class<? extends ProtocolMapper> mapper) {
        List<ProviderConfigProperty> properties = new ArrayList<>();
        OIDCAttributeMapperHelper.addIncludeInTokensConfig(properties, mapper);
        return properties;
    }

    @Override
    public final String getId() {
        return id;
    }

    @Override
    public final String getDisplayType() {
        return displayType;
    }

    @Override
    public String getDisplayCategory() {
        return TOKEN_MAPPER_CATEGORY;
    }

    @Override
    public final String getHelpText() {
        return helpText;
    }

    @Override
    public final List<ProviderConfigProperty> getConfigProperties() {
        return properties;
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        RealmUseCheck.listen(factory);
    }

    /** Keycloak calls it before it saves a mapper, but not for those in the JSON of a client or client scope. */
    @Override
    public void validateConfig(
            KeycloakSession session,
            RealmModel realm,
            ProtocolMapperContainerModel container,
            ProtocolMapperModel mapper)
            throws ProtocolMapperConfigException {
        RealmUseCheck.begin(session, realm);
    }
}
