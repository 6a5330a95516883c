package io.github.checktoken.keycloak;

import org.keycloak.events.EventListenerProviderFactory;

/** Registers a listener in every realm, so that administrators need not enable it and cannot disable it by mistake. */
public abstract class GlobalEventListenerFactory extends AbstractProviderFactory
        implements EventListenerProviderFactory {

    @Override
    public boolean isGlobal() {
        return true;
    }
}
