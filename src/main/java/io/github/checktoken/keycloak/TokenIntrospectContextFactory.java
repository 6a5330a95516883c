package io.github.checktoken.keycloak;

import java.lang.reflect.Constructor;
import java.util.List;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.models.ClientModel;
import org.keycloak.services.clientpolicy.ClientPolicyContext;
import org.keycloak.services.clientpolicy.context.TokenIntrospectContext;

/**
 * Creates the context that client policies get for an introspection. Its constructor differs between versions of
 * Keycloak.
 */
public final class TokenIntrospectContextFactory {

    private static final Constructor<?> CONSTRUCTOR =
            TokenIntrospectContext.class.getConstructors()[0];

    /** The constructor's parameters in Keycloak 26.5. */
    private static final List<Class<?>> FORM = List.of(MultivaluedMap.class);

    /** The constructor's parameters from Keycloak 26.7 on. */
    private static final List<Class<?>> CLIENT_AND_FORM = List.of(ClientModel.class, MultivaluedMap.class);

    private TokenIntrospectContextFactory() {}

    public static ClientPolicyContext create(ClientModel client, MultivaluedMap<String, String> form) {
        try {
            return (ClientPolicyContext)
                    (isDeclared(FORM) ? CONSTRUCTOR.newInstance(form) : CONSTRUCTOR.newInstance(client, form));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static void requireConstructor(String running) {
        if (!isDeclared(FORM) && !isDeclared(CLIENT_AND_FORM)) {
            throw KeycloakCompatibility.missing("new TokenIntrospectContext", running);
        }
    }

    private static boolean isDeclared(List<Class<?>> parameters) {
        return List.of(CONSTRUCTOR.getParameterTypes()).equals(parameters);
    }
}
