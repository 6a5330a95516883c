package io.github.checktoken.introspection;

import java.lang.reflect.Constructor;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.clientpolicy.ClientPolicyException;
import org.keycloak.services.clientpolicy.context.TokenIntrospectContext;

/** The realm's client policies for introspection, as Keycloak's own endpoint asks them. */
final class ClientPolicyCheck {

    /** Its one constructor takes the form in Keycloak 26.5, and from 26.7 on the client before it. */
    private static final Constructor<?> CONTEXT = TokenIntrospectContext.class.getConstructors()[0];

    private ClientPolicyCheck() {}

    static void enforce(KeycloakSession session, ClientModel client, MultivaluedMap<String, String> form)
            throws CheckTokenException {
        try {
            session.clientPolicy().triggerOnEvent(context(client, form));
        } catch (ClientPolicyException e) {
            throw new CheckTokenException(CheckTokenError.INVALID_REQUEST, "client policy: " + e.getErrorDetail());
        }
    }

    private static TokenIntrospectContext context(ClientModel client, MultivaluedMap<String, String> form) {
        try {
            return (TokenIntrospectContext)
                    (CONTEXT.getParameterCount() == 1 ? CONTEXT.newInstance(form) : CONTEXT.newInstance(client, form));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
