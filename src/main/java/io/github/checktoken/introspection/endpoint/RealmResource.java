package io.github.checktoken.introspection.endpoint;

import org.keycloak.services.resource.RealmResourceProvider;

/**
 * Wraps a JAX-RS resource under {@code /realms/{realm}/} as the provider that Keycloak expects.
 *
 * @param getResource null to answer 404
 */
public record RealmResource(Object getResource) implements RealmResourceProvider {

    @Override
    public void close() {
        // There is nothing to close: the resource belongs to one request.
    }
}
