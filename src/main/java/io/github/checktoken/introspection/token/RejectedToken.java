package io.github.checktoken.introspection.token;

import org.keycloak.events.EventBuilder;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.storage.StorageId;
import org.keycloak.storage.UserStorageProvider;

/** Whose a token was that is not active. Keycloak tells it only of a token that has passed most of its checks. */
final class RejectedToken {

    private RejectedToken() {}

    /** @param token signed by the realm; null if it is not */
    static void describe(KeycloakSession session, AccessToken token, EventBuilder event) {
        if (token == null) {
            return;
        }
        if (canBeStored(token.getSessionId())) {
            event.session(token.getSessionId());
        }
        if (event.getEvent().getUserId() == null
                && canBeStored(token.getSubject())
                && isUser(session, token.getSubject())) {
            event.user(token.getSubject());
        }
    }

    /** A mapper can set both to anything, and Keycloak's table of events has 255 characters for each. */
    private static boolean canBeStored(String id) {
        return id != null && id.length() <= 255;
    }

    /** A mapper can set {@code sub}. Asks no user store, because one that is away does not matter to this token. */
    private static boolean isUser(KeycloakSession session, String subject) {
        RealmModel realm = session.getContext().getRealm();
        return session.getProvider(UserProvider.class).getUserById(realm, subject) != null
                || realm.getComponentsStream(realm.getId(), UserStorageProvider.class.getName())
                        .anyMatch(store -> subject.startsWith(StorageId.keycloakId(store, "")));
    }
}
