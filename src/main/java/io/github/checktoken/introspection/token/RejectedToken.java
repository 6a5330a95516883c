package io.github.checktoken.introspection.token;

import org.keycloak.events.EventBuilder;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.storage.StorageId;
import org.keycloak.storage.UserStorageProvider;

/**
 * Whose a token was that is not active, for the event. Keycloak tells session and user only of a token that has passed
 * most of its checks.
 *
 * @param token signed by the realm
 */
record RejectedToken(KeycloakSession session, AccessToken token) {

    void describe(EventBuilder event) {
        event.session(token.getSessionId());
        if (event.getEvent().getUserId() == null && isUser(token.getSubject())) {
            event.user(token.getSubject());
        }
    }

    /** A mapper can set {@code sub}. Asks no user store, because one that is away does not matter to this token. */
    private boolean isUser(String subject) {
        RealmModel realm = session.getContext().getRealm();
        return subject != null
                && (session.getProvider(UserProvider.class).getUserById(realm, subject) != null
                        || realm.getComponentsStream(realm.getId(), UserStorageProvider.class.getName())
                                .anyMatch(store -> subject.startsWith(StorageId.keycloakId(store, ""))));
    }
}
