package io.github.checktoken.login.emailcode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.email.EmailException;
import org.keycloak.email.EmailTemplateProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.utils.RealmModelDelegate;

import io.github.checktoken.text.SingleLineText;

/** The e-mail that contains a code, in the user's language. */
final class EmailCodeMail {

    private static final int SECONDS_A_MINUTE = 60;

    private final AuthenticationFlowContext context;

    EmailCodeMail(AuthenticationFlowContext context) {
        this.context = context;
    }

    /**
     * Sends the e-mail to the user's address.
     *
     * @param lifespan of the code, in seconds
     */
    void send(String digits, int lifespan) throws EmailException {
        boolean reset = new LoginRequest(context).isResetCredentials();
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("code", digits);
        attributes.put("service", serviceName(context.getAuthenticationSession().getClient()));
        attributes.put("minutes", Math.max(1, lifespan / SECONDS_A_MINUTE));
        attributes.put("reset", reset);
        RealmModel realm = withSafeDisplayName(context.getRealm());
        context.getSession()
                .getProvider(EmailTemplateProvider.class)
                .setRealm(realm)
                .setUser(context.getUser())
                .setAuthenticationSession(context.getAuthenticationSession())
                .send(
                        reset ? "emailCodeResetMailSubject" : "emailCodeMailSubject",
                        List.of(realm.getDisplayName()),
                        "email-code.ftl",
                        attributes);
    }

    /** Returns the realm with a display name that is not blank, and safe wherever a theme writes it in an e-mail. */
    private static RealmModel withSafeDisplayName(RealmModel realm) {
        String displayName = SingleLineText.of(realm.getDisplayName());
        String name = displayName.isEmpty() ? SingleLineText.of(realm.getName()) : displayName;
        return new RealmModelDelegate(realm) {
            @Override
            public String getDisplayName() {
                return name;
            }
        };
    }

    /**
     * Returns the client's name, or else its client_id. Names of Keycloak's own clients, such as
     * ${client_account-console}, are keys of the login theme's messages.
     */
    private String serviceName(ClientModel client) {
        String name = client.getName();
        String shown = name != null && name.startsWith("${") && name.endsWith("}")
                ? context.form().getMessage(name.substring(2, name.length() - 1))
                : name;
        String line = SingleLineText.of(shown);
        return line.isEmpty() ? SingleLineText.of(client.getClientId()) : line;
    }
}
