package io.github.checktoken.support.realmuse;

import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.resource.RealmResourceProvider;

import io.github.checktoken.keycloak.RealmUse;

/** Tells what {@link RealmUse} says, at {@code /realms/{realm}/realm-use}. It runs only in the server of the tests. */
public final class RealmUseProvider implements RealmResourceProvider {

    private final KeycloakSession session;

    RealmUseProvider(KeycloakSession session) {
        this.session = session;
    }

    @Override
    public Object getResource() {
        return this;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Map<String, Boolean> use() {
        RealmModel realm = session.getContext().getRealm();
        return Map.of(
                "login",
                RealmUse.usesLogin(session, realm),
                "introspection",
                RealmUse.usesIntrospection(session, realm));
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
