package io.github.checktoken.api;

import org.keycloak.services.resource.RealmResourceProvider;

/** A JAX-RS resource under {@code /realms/{realm}/}, as Keycloak wants to be given one. */
record RealmResource(Object getResource) implements RealmResourceProvider {

    @Override
    public void close() {
        // The resource lives as long as its request.
    }
}
