package io.github.checktoken.emailcode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.email.EmailException;
import org.keycloak.email.EmailTemplateProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.models.RealmModel;
import org.keycloak.utils.StringUtil;

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
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("code", digits);
        attributes.put("service", service(context.getAuthenticationSession().getClient()));
        attributes.put("minutes", Math.max(1, lifespan / SECONDS_A_MINUTE));
        RealmModel realm = context.getRealm();
        // Keycloak's own realmName is blank where an administrator has emptied the display name.
        attributes.put("realmLabel", name(realm));
        context.getSession()
                .getProvider(EmailTemplateProvider.class)
                .setRealm(realm)
                .setUser(context.getUser())
                .setAuthenticationSession(context.getAuthenticationSession())
                .send("emailCodeMailSubject", List.of(name(realm)), "email-code.ftl", attributes);
    }

    private static String name(RealmModel realm) {
        return StringUtil.isBlank(realm.getDisplayName()) ? realm.getName() : realm.getDisplayName();
    }

    /** Keycloak's own clients have names such as ${client_account-console}, which the bundles of the login pages hold. */
    private String service(ClientModel client) {
        String name = client.getName();
        if (StringUtil.isBlank(name)) {
            return client.getClientId();
        }
        return name.startsWith("${") && name.endsWith("}")
                ? context.form().getMessage(name.substring(2, name.length() - 1))
                : name;
    }
}
