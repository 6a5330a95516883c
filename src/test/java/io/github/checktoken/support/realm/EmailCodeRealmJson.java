package io.github.checktoken.support.realm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.flow.FlowText;

/** The settings and clients of {@link EmailCodeRealm}; its flows are in {@code email-code-flows.txt}. */
final class EmailCodeRealmJson {

    static final String SECRET = "email-code-secret-of-32-bytes-or-more";

    static final String CLIENT = "sp-post";

    /** Asks for the password once, and with {@code acr_values=two} also for a code. */
    static final String STEP_UP_CLIENT = "sp-step-up";

    /** Asks everybody who has a session for a code. */
    static final String SESSION_CLIENT = "sp-session";

    /** Asks everybody who has a session for a code, but uses SAML. */
    static final String SAML_CLIENT = "sp-saml";

    /** Asks for the password, and then for a code or a one-time password, each in a sub-flow of its own. */
    static final String CHOICE_CLIENT = "sp-choice";

    /** Asks for the password, and then for a code, or lets people set up a one-time password. */
    static final String SET_UP_CLIENT = "sp-set-up";

    /** The same, but the code is in a sub-flow of its own. */
    static final String SET_UP_ABOVE_CLIENT = "sp-set-up-above";

    /** Leads to an identity provider that the request names. */
    static final String PROVIDER_CLIENT = "sp-provider";

    /** Denies access to everybody who has used a code. */
    static final String NO_MAIL_CLIENT = "sp-no-mail";

    /** A client that authenticates with {@code client_secret_jwt}. */
    static final String MACHINE = "machine";

    /** The flow of the realm: the password, then a code. Tests can let people use a one-time password instead. */
    static final String MAIN_FLOW = "password-and-code";

    static final String AFTER_A_PROVIDER = "after-a-provider";

    /** The flows of the clients that do not use the realm's flow. */
    static final Map<String, String> FLOWS = Map.of(
            STEP_UP_CLIENT, "step-up",
            SESSION_CLIENT, "session-and-code",
            SAML_CLIENT, "session-and-code",
            CHOICE_CLIENT, "choice",
            SET_UP_CLIENT, "code-or-set-up",
            SET_UP_ABOVE_CLIENT, "code-in-a-sub-flow-or-set-up",
            PROVIDER_CLIENT, "provider",
            NO_MAIL_CLIENT, "no-mail");

    /** Nothing is signed, and answers come by redirect. */
    private static final Map<String, String> SAML = Map.of(
            "saml.server.signature", "false",
            "saml.client.signature", "false",
            "saml.force.post.binding", "false");

    private EmailCodeRealmJson() {}

    static Map<String, Object> of(String name, Map<String, String> smtpServer) {
        FlowText flows = FlowText.load("/email-code-flows.txt");
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", name);
        realm.put("displayName", "Post office");
        realm.put("enabled", true);
        // Its signatures cost the server less than those of RSA.
        realm.put("defaultSignatureAlgorithm", "ES256");
        realm.put("internationalizationEnabled", true);
        realm.put("supportedLocales", List.of("en", "fr"));
        realm.put("defaultLocale", "en");
        realm.put("eventsEnabled", true);
        realm.put("resetPasswordAllowed", true);
        realm.put("passwordPolicy", "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)");
        realm.put("smtpServer", smtpServer);
        realm.put("attributes", Map.of("acr.loa.map", "{\"one\":1,\"two\":2}"));
        realm.put(
                "clients",
                List.of(
                        client(CLIENT, Map.of("name", "Letter box & Co", "directAccessGrantsEnabled", true)),
                        client(STEP_UP_CLIENT, Map.of()),
                        client(SESSION_CLIENT, Map.of()),
                        client(SAML_CLIENT, Map.of("protocol", "saml", "attributes", SAML)),
                        client(CHOICE_CLIENT, Map.of()),
                        client(SET_UP_CLIENT, Map.of()),
                        client(SET_UP_ABOVE_CLIENT, Map.of()),
                        client(PROVIDER_CLIENT, Map.of()),
                        client(NO_MAIL_CLIENT, Map.of()),
                        client(
                                MACHINE,
                                Map.of(
                                        "clientAuthenticatorType",
                                        "client-secret-jwt",
                                        "serviceAccountsEnabled",
                                        true))));
        realm.put("browserFlow", MAIN_FLOW);
        realm.put("resetCredentialsFlow", "reset-with-a-code");
        realm.put("directGrantFlow", "grant-and-code");
        realm.put("authenticationFlows", flows.flows());
        realm.put("authenticatorConfig", flows.configs());
        return realm;
    }

    private static Map<String, Object> client(String clientId, Map<String, Object> further) {
        Map<String, Object> client = new HashMap<>();
        client.put("clientId", clientId);
        client.put("secret", SECRET);
        client.put("redirectUris", List.of(redirectUri(clientId)));
        client.putAll(further);
        return client;
    }

    static String redirectUri(String clientId) {
        return "http://localhost:8999/" + clientId + "/callback";
    }
}
