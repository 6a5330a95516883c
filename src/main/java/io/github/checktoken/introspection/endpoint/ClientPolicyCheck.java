package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.clientpolicy.ClientPolicyException;

import io.github.checktoken.keycloak.TokenIntrospectContextFactory;
import io.github.checktoken.text.SingleLineText;

/** Applies the realm's client policies to an introspection, as Keycloak's own endpoint does. */
final class ClientPolicyCheck {

    private ClientPolicyCheck() {}

    static void enforce(KeycloakSession session, ClientModel client, MultivaluedMap<String, String> form)
            throws CheckTokenException {
        try {
            session.clientPolicy().triggerOnEvent(TokenIntrospectContextFactory.create(client, form));
        } catch (ClientPolicyException e) {
            throw new CheckTokenException(
                    CheckTokenError.INVALID_REQUEST, "client policy: " + SingleLineText.of(e.getErrorDetail()));
        }
    }
}
