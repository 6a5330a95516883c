package io.github.checktoken.keycloak;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.events.admin.AdminEvent;

/** Hears what users and clients do. What administrators do is no login and issues no tokens. */
public interface UserEventListener extends EventListenerProvider {

    @Override
    default void onEvent(AdminEvent event, boolean includeRepresentation) {}

    @Override
    default void close() {}
}
