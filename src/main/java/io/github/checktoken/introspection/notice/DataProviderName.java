package io.github.checktoken.introspection.notice;

import java.io.IOException;
import java.text.MessageFormat;
import java.util.Locale;

import org.keycloak.email.EmailException;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.text.SingleLineText;

/**
 * How a mail calls a data provider, in one safe line.
 *
 * @param shown the client's name; the client_id if it has none
 * @param clientId by which the people who run the service find the client
 */
record DataProviderName(String shown, String clientId) {

    /**
     * @param recipient in whose language a name is that refers to a text
     * @throws EmailException if the texts cannot be read
     */
    static DataProviderName of(KeycloakSession session, ClientModel client, UserModel recipient) throws EmailException {
        String clientId = SingleLineText.of(client.getClientId());
        String name = SingleLineText.of(resolved(session, client, recipient));
        return new DataProviderName(name.isEmpty() ? clientId : name, clientId);
    }

    String withClientId() {
        return shown.equals(clientId) ? clientId : shown + " (" + clientId + ")";
    }

    /**
     * A name such as ${client_account} is a key of the login theme's messages or of the realm's texts.
     *
     * @return null if there is no name, or no such text that can be shown
     */
    private static String resolved(KeycloakSession session, ClientModel client, UserModel recipient)
            throws EmailException {
        String name = client.getName();
        if (name == null || !name.startsWith("${") || !name.endsWith("}")) {
            return name;
        }
        try {
            Locale locale = session.getContext().resolveLocale(recipient);
            String text = session.theme()
                    .getTheme(Theme.Type.LOGIN)
                    .getEnhancedMessages(client.getRealm(), locale)
                    .getProperty(name.substring(2, name.length() - 1));
            return text == null ? null : new MessageFormat(text, locale).format(new Object[0]);
        } catch (IllegalArgumentException e) {
            // The text is no pattern of MessageFormat.
            return null;
        } catch (IOException e) {
            throw new EmailException("Failed to read the name of a data provider", e);
        }
    }
}
