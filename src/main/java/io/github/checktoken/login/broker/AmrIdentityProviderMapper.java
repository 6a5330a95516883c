package io.github.checktoken.login.broker;

import java.util.List;

import org.keycloak.broker.provider.AbstractIdentityProviderMapper;
import org.keycloak.broker.provider.BrokeredIdentityContext;
import org.keycloak.models.IdentityProviderMapperModel;
import org.keycloak.models.IdentityProviderSyncMode;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.login.evidence.IdentityProviderReport;

/**
 * Reads how a user signed in at an identity provider of any type: from {@code amr} in its validated ID token, or from
 * the administrator's setting if the provider sends none.
 */
public final class AmrIdentityProviderMapper extends AbstractIdentityProviderMapper {

    public static final String PROVIDER_ID = "oidc-amr-idp-mapper";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public String[] getCompatibleProviders() {
        return new String[] {ANY_PROVIDER};
    }

    @Override
    public String getDisplayType() {
        return "Authentication methods (amr)";
    }

    @Override
    public String getDisplayCategory() {
        return "User Session";
    }

    @Override
    public String getHelpText() {
        return "Takes over how the person signed in at the identity provider: from amr of its ID token, or the methods"
                + " that you state for a provider that sends none.";
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return AmrIdentityProviderConfig.PROPERTIES;
    }

    /** Supports every sync mode, because the methods belong to one login and are not an attribute of the user. */
    @Override
    public boolean supportsSyncMode(IdentityProviderSyncMode syncMode) {
        return true;
    }

    /**
     * Keycloak calls this method of a mapper in every sync mode, at the first login and at each later one. It does not
     * call the others in every mode.
     */
    @Override
    public void preprocessFederatedIdentity(
            KeycloakSession session,
            RealmModel realm,
            IdentityProviderMapperModel mapper,
            BrokeredIdentityContext context) {
        if (context.getAuthenticationSession() != null) {
            String providerAlias = context.getIdpConfig().getAlias();
            UpstreamAmrReader reader = new UpstreamAmrReader(providerAlias, mapper);
            IdentityProviderReport.receive(session, context, reader.read(context), reader.level(context));
        }
        // Without an authentication session, an external token is being exchanged and nobody signs in.
    }
}
