package io.github.checktoken.emailcode;

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

/** The e-mail that brings a code, in the person's language. */
final class EmailCodeMail {

    private static final int SECONDS_A_MINUTE = 60;

    private final AuthenticationFlowContext context;

    EmailCodeMail(AuthenticationFlowContext context) {
        this.context = context;
    }

    /**
     * To the person's address.
     *
     * @param lifespan of the code, in seconds
     */
    void send(String digits, int lifespan) throws EmailException {
        boolean reset = new LoginRequest(context).isResetCredentials();
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("code", digits);
        attributes.put("service", service(context.getAuthenticationSession().getClient()));
        attributes.put("minutes", Math.max(1, lifespan / SECONDS_A_MINUTE));
        attributes.put("reset", reset);
        RealmModel realm = named(context.getRealm());
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

    /** With a display name that is safe in a mail, wherever a theme writes it, and not blank. */
    private static RealmModel named(RealmModel realm) {
        String displayName = SingleLineText.of(realm.getDisplayName());
        String name = displayName.isEmpty() ? SingleLineText.of(realm.getName()) : displayName;
        return new RealmModelDelegate(realm) {
            @Override
            public String getDisplayName() {
                return name;
            }
        };
    }

    /** Keycloak's own clients have names such as ${client_account-console}, which the bundles of the login pages hold. */
    private String service(ClientModel client) {
        String name = client.getName();
        String shown = name != null && name.startsWith("${") && name.endsWith("}")
                ? context.form().getMessage(name.substring(2, name.length() - 1))
                : name;
        String line = SingleLineText.of(shown);
        return line.isEmpty() ? SingleLineText.of(client.getClientId()) : line;
    }
}
