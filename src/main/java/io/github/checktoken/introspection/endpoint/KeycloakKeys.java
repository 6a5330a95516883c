package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.protocol.oidc.OIDCLoginProtocolService;

/** The realm's keys, as Keycloak answers at its own address. Clients such as jose follow no redirect to keys. */
public final class KeycloakKeys {

    private final OIDCLoginProtocolService keycloak;

    KeycloakKeys(OIDCLoginProtocolService keycloak) {
        this.keycloak = keycloak;
    }

    @OPTIONS
    public Response preflight() {
        return keycloak.getVersionPreflight();
    }

    @GET
    @Produces({MediaType.APPLICATION_JSON, org.keycloak.utils.MediaType.APPLICATION_JWKS})
    public Response keys() {
        return keycloak.certs();
    }
}
