package io.github.checktoken.text;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.theme.Theme;

/** How a mail calls a client. */
public final class ClientName {

    private ClientName() {}

    /**
     * A name such as ${client_account} is a key of the login theme's messages or of the realm's texts.
     *
     * @param user in whose language such a text is
     * @return in one safe line; empty if there is no name, or no such text that can be shown
     */
    public static String of(KeycloakSession session, ClientModel client, UserModel user) {
        String name = client.getName();
        if (name == null || !name.startsWith("${") || !name.endsWith("}")) {
            return SingleLineText.of(name);
        }
        String key = name.substring(2, name.length() - 1);
        try {
            String text = OwnMessages.of(session, Theme.Type.LOGIN, user).text(key);
            return text.equals(key) ? "" : SingleLineText.of(text);
        } catch (IllegalArgumentException e) {
            // The text is no pattern of MessageFormat.
            return "";
        }
    }
}
