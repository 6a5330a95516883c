package io.github.checktoken.keycloak;

import org.keycloak.models.ClientModel;
import org.keycloak.representations.AccessToken;

/** The time before which all tokens of a realm or a client are revoked. */
public final class NotBefore {

    private NotBefore() {}

    /** Whether both the realm's and the client's allow a token. Keycloak 26.5 takes only the earlier one if both are set. */
    public static boolean allows(AccessToken token, ClientModel client) {
        return token.getIat() >= Math.max(client.getRealm().getNotBefore(), client.getNotBefore());
    }
}
