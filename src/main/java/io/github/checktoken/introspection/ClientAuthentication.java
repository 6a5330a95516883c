package io.github.checktoken.introspection;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.events.EventBuilder;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.utils.AuthorizeClientUtil;

/**
 * Keycloak's client authentication with one answer for every failure, so that nobody learns whether a client exists, is
 * disabled, or was called with a wrong secret. The reason is in the event that Keycloak writes.
 */
final class ClientAuthentication {

    private final KeycloakSession session;
    private final EventBuilder event;

    ClientAuthentication(KeycloakSession session, EventBuilder event) {
        this.session = session;
        this.event = event;
    }

    ClientModel authenticate() throws CheckTokenException {
        try {
            ClientModel client =
                    AuthorizeClientUtil.authorizeClient(session, event, null).getClient();
            event.client(client);
            return client;
        } catch (WebApplicationException e) {
            throw new CheckTokenException(CheckTokenError.INVALID_CLIENT, "client authentication failed");
        }
    }
}
