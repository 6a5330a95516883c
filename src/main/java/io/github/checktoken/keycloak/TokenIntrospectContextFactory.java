package io.github.checktoken.keycloak;

import java.lang.reflect.Constructor;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.models.ClientModel;
import org.keycloak.services.clientpolicy.ClientPolicyContext;
import org.keycloak.services.clientpolicy.context.TokenIntrospectContext;

/**
 * Creates the context that client policies get for an introspection. Its constructor differs between versions of
 * Keycloak: 26.5 does not give the client.
 */
public final class TokenIntrospectContextFactory {

    private static final Constructor<?> CONSTRUCTOR = Stream.of(TokenIntrospectContext.class.getConstructors())
            .filter(constructor -> Stream.<List<Class<?>>>of(
                            List.of(ClientModel.class, MultivaluedMap.class), List.of(MultivaluedMap.class))
                    .anyMatch(List.of(constructor.getParameterTypes())::equals))
            .max(Comparator.comparing(Constructor::getParameterCount))
            .orElseThrow();

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
