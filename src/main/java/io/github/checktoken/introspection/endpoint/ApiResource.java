package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.OIDCLoginProtocolService;
import org.keycloak.services.resource.RealmResourceProvider;

/** The routes under {@code /realms/{realm}/api/}. */
public final class ApiResource {

    private final KeycloakSession session;
    private final FranceConnectAddresses addresses;

    ApiResource(KeycloakSession session) {
        this.session = session;
        this.addresses = new FranceConnectAddresses(session);
    }

    /** Returns the resource of the short path, so that both paths have the same settings. */
    @Path("v2/checktoken")
    public CheckTokenEndpoint checkToken() {
        RealmResourceProvider checkToken =
                session.getProvider(RealmResourceProvider.class, CheckTokenResourceProviderFactory.PROVIDER_ID);
        if (checkToken == null) {
            // The server's settings disable that provider.
            throw new NotFoundException();
        }
        return (CheckTokenEndpoint) checkToken.getResource();
    }

    @Path("{version: v1|v2}/authorize")
    public KeycloakRedirect authorize() {
        return new KeycloakRedirect(
                session, OIDCLoginProtocolService.authUrl(session.getContext().getUri()));
    }

    @Path("v2/session/end")
    public KeycloakRedirect sessionEnd() {
        addresses.require();
        return new KeycloakRedirect(
                session, OIDCLoginProtocolService.logoutUrl(session.getContext().getUri()));
    }

    @Path("v1/logout")
    public KeycloakRedirect logout() {
        return sessionEnd();
    }

    @Path("{version: v1|v2}/token")
    public Object token() {
        return addresses.keycloak().token();
    }

    @Path("{version: v1|v2}/userinfo")
    public Object userInfo() {
        return addresses.keycloak().issueUserInfo();
    }

    @Path("v2/jwks")
    public KeycloakKeys keys() {
        return new KeycloakKeys(addresses.keycloak());
    }

    @GET
    @Path("v2/.well-known/{document: openid-configuration|oauth-authorization-server}")
    @Produces(MediaType.APPLICATION_JSON)
    public Response metadata() {
        return new IntrospectionMetadata(session).response();
    }
}
