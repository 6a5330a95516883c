package io.github.checktoken.support.userstore;

import org.keycloak.component.ComponentModel;
import org.keycloak.credential.CredentialInput;
import org.keycloak.credential.CredentialInputValidator;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.storage.StorageId;
import org.keycloak.storage.UserStorageProvider;
import org.keycloak.storage.user.UserLookupProvider;

/** A user store with one user, which fails on demand with an exception that does not say that it is the store's. */
public final class UnreliableUserStore implements UserStorageProvider, UserLookupProvider, CredentialInputValidator {

    private final KeycloakSession session;
    private final ComponentModel model;

    UnreliableUserStore(KeycloakSession session, ComponentModel model) {
        this.session = session;
        this.model = model;
    }

    static void failIf(ComponentModel model, String failing) {
        if (failing.equals(model.get(UnreliableUserStoreFactory.FAILING))) {
            throw new IllegalStateException("no connection");
        }
    }

    @Override
    public UserModel getUserById(RealmModel realm, String id) {
        return getUserByUsername(realm, StorageId.externalId(id));
    }

    @Override
    public UserModel getUserByUsername(RealmModel realm, String username) {
        failIf(model, "look-up");
        return username.equals(model.get(UnreliableUserStoreFactory.USER))
                ? new UnreliableUser(session, realm, model)
                : null;
    }

    @Override
    public UserModel getUserByEmail(RealmModel realm, String email) {
        return null;
    }

    @Override
    public boolean supportsCredentialType(String type) {
        return PasswordCredentialModel.TYPE.equals(type);
    }

    @Override
    public boolean isConfiguredFor(RealmModel realm, UserModel user, String type) {
        return supportsCredentialType(type);
    }

    @Override
    public boolean isValid(RealmModel realm, UserModel user, CredentialInput input) {
        return "demo-password".equals(input.getChallengeResponse());
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
