package io.github.checktoken.keycloak;

import java.lang.reflect.Constructor;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.models.ClientModel;
import org.keycloak.services.clientpolicy.ClientPolicyContext;
import org.keycloak.services.clientpolicy.context.TokenIntrospectContext;

/**
 * Creates the context that client policies get for an introspection. Its constructor differs between versions of
 * Keycloak: 26.5 does not give the client.
 */
public final class TokenIntrospectContextFactory {

    private static final Constructor<?> CONSTRUCTOR =
            TokenIntrospectContext.class.getConstructors()[0];

    private TokenIntrospectContextFactory() {}

    public static ClientPolicyContext create(ClientModel client, MultivaluedMap<String, String> form) {
        try {
            return (ClientPolicyContext)
                    (CONSTRUCTOR.getParameterCount() == 1
                            ? CONSTRUCTOR.newInstance(form)
                            : CONSTRUCTOR.newInstance(client, form));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
