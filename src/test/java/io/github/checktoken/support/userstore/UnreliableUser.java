package io.github.checktoken.support.userstore;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.keycloak.component.ComponentModel;
import org.keycloak.credential.UserCredentialManager;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.SubjectCredentialManager;
import org.keycloak.models.UserModel;
import org.keycloak.storage.adapter.AbstractUserAdapter;

/** The user of an {@link UnreliableUserStore}, whose data the store is asked for again and again. */
public final class UnreliableUser extends AbstractUserAdapter {

    UnreliableUser(KeycloakSession session, RealmModel realm, ComponentModel model) {
        super(session, realm, model);
    }

    @Override
    public String getUsername() {
        return storageProviderModel.get(UnreliableUserStoreFactory.USER);
    }

    @Override
    public boolean isEnabled() {
        UnreliableUserStore.failIf(storageProviderModel, "state");
        return true;
    }

    @Override
    public String getFirstName() {
        return getFirstAttribute(UserModel.FIRST_NAME);
    }

    @Override
    public String getLastName() {
        return getFirstAttribute(UserModel.LAST_NAME);
    }

    @Override
    public String getEmail() {
        return getFirstAttribute(UserModel.EMAIL);
    }

    @Override
    public String getFirstAttribute(String name) {
        return getAttributeStream(name).findFirst().orElse(null);
    }

    @Override
    public Stream<String> getAttributeStream(String name) {
        return getAttributes().getOrDefault(name, List.of()).stream();
    }

    @Override
    public Map<String, List<String>> getAttributes() {
        UnreliableUserStore.failIf(storageProviderModel, "attributes");
        return Map.of(
                UserModel.USERNAME, List.of(getUsername()),
                UserModel.EMAIL, List.of(getUsername() + "@example.org"),
                UserModel.FIRST_NAME, List.of("Camille"),
                UserModel.LAST_NAME, List.of("Moreau"));
    }

    /** A login removes an action that the user does not have. */
    @Override
    public void removeRequiredAction(String action) {
        // There are none.
    }

    @Override
    public void removeRequiredAction(RequiredAction action) {
        // There are none.
    }

    @Override
    public SubjectCredentialManager credentialManager() {
        return new UserCredentialManager(session, realm, this);
    }
}
