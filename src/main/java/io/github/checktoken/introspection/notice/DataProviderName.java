package io.github.checktoken.introspection.notice;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;

import io.github.checktoken.text.ClientName;
import io.github.checktoken.text.SingleLineText;

/**
 * How a mail calls a data provider, in one safe line.
 *
 * @param shown the client's name; the client_id if it has none
 * @param clientId by which the people who run the service find the client
 */
record DataProviderName(String shown, String clientId) {

    /** @param recipient in whose language a name is that refers to a text */
    static DataProviderName of(KeycloakSession session, ClientModel client, UserModel recipient) {
        String clientId = SingleLineText.of(client.getClientId());
        String name = ClientName.of(session, client, recipient);
        return new DataProviderName(name.isEmpty() ? clientId : name, clientId);
    }

    String withClientId() {
        return shown.equals(clientId) ? clientId : shown + " (" + clientId + ")";
    }
}
