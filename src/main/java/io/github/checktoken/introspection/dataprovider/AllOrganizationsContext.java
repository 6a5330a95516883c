package io.github.checktoken.introspection.dataprovider;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RoleModel;
import org.keycloak.organization.protocol.mappers.oidc.OrganizationMembershipMapper;
import org.keycloak.protocol.oidc.TokenManager;
import org.keycloak.rar.AuthorizationRequestContext;

/**
 * Lets a data provider's mappers see all organizations of the user, as if {@code organization:*} had been requested.
 * Keycloak's mappers read from the scope string which organizations a client may see. They read {@code organization}
 * alone as the organization that the user chose when signing in to this client, but users do not sign in to a data
 * provider.
 */
record AllOrganizationsContext(ClientSessionContext context) implements ClientSessionContext {

    private static final String ALL = ClientScopeModel.VALUE_SEPARATOR + "*";

    @Override
    public String getScopeString(boolean ignoreIncludeInTokenScope) {
        Set<String> organizationScopes = getClientScopesStream()
                .filter(scope -> !scope.getProtocolMapperByType(OrganizationMembershipMapper.PROVIDER_ID)
                        .isEmpty())
                .map(ClientScopeModel::getName)
                .collect(Collectors.toSet());
        return TokenManager.parseScopeParameter(context.getScopeString(ignoreIncludeInTokenScope))
                .map(scope -> organizationScopes.contains(scope) ? scope + ALL : scope)
                .collect(Collectors.joining(" "));
    }

    @Override
    public String getScopeString() {
        return getScopeString(false);
    }

    @Override
    public AuthenticatedClientSessionModel getClientSession() {
        return context.getClientSession();
    }

    @Override
    public Set<String> getClientScopeIds() {
        return context.getClientScopeIds();
    }

    @Override
    public Stream<ClientScopeModel> getClientScopesStream() {
        return context.getClientScopesStream();
    }

    @Override
    public boolean isOfflineTokenRequested() {
        return context.isOfflineTokenRequested();
    }

    @Override
    public Stream<RoleModel> getRolesStream() {
        return context.getRolesStream();
    }

    @Override
    public Stream<ProtocolMapperModel> getProtocolMappersStream() {
        return context.getProtocolMappersStream();
    }

    @Override
    public void setAttribute(String name, Object value) {
        context.setAttribute(name, value);
    }

    @Override
    public <T> T getAttribute(String name, Class<T> type) {
        return context.getAttribute(name, type);
    }

    @Override
    public AuthorizationRequestContext getAuthorizationRequestContext() {
        return context.getAuthorizationRequestContext();
    }
}
