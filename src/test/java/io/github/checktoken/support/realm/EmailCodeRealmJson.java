package io.github.checktoken.support.realm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients and flows of {@link EmailCodeRealm}. */
final class EmailCodeRealmJson {

    static final String SECRET = "email-code-secret-of-32-bytes-or-more";

    static final String CLIENT = "sp-post";

    /** Asks for the password once, and with {@code acr_values=two} for a code as well. */
    static final String STEP_UP_CLIENT = "sp-step-up";

    /** Asks everybody who has a session for a code; the first by OpenID Connect, the second by SAML. */
    static final String SESSION_CLIENT = "sp-session";

    static final String SAML_CLIENT = "sp-saml";

    /** Asks for the password, and then for a code or a one-time password, each in a sub-flow of its own. */
    static final String CHOICE_CLIENT = "sp-choice";

    /** Leads to an identity provider that the request names. */
    static final String PROVIDER_CLIENT = "sp-provider";

    /** Refuses whoever has used a code. */
    static final String NO_MAIL_CLIENT = "sp-no-mail";

    /** A client that authenticates with {@code client_secret_jwt}. */
    static final String MACHINE = "machine";

    static final String AFTER_A_PROVIDER = "after a provider";

    /** The flows of the clients that do not have the realm's. */
    static final Map<String, String> FLOWS = Map.of(
            STEP_UP_CLIENT, "step up",
            SESSION_CLIENT, "session and code",
            SAML_CLIENT, "session and code",
            CHOICE_CLIENT, "choice",
            PROVIDER_CLIENT, "provider",
            NO_MAIL_CLIENT, "no mail");

    /** Nothing is signed, and answers come by redirect. */
    private static final Map<String, String> SAML = Map.of(
            "saml.server.signature", "false",
            "saml.client.signature", "false",
            "saml.force.post.binding", "false");

    private EmailCodeRealmJson() {}

    static Map<String, Object> of(String name, Map<String, String> smtpServer) {
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", name);
        realm.put("displayName", "Post office");
        realm.put("enabled", true);
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
                        client(PROVIDER_CLIENT, Map.of()),
                        client(NO_MAIL_CLIENT, Map.of()),
                        client(
                                MACHINE,
                                Map.of(
                                        "clientAuthenticatorType",
                                        "client-secret-jwt",
                                        "serviceAccountsEnabled",
                                        true))));
        realm.put("browserFlow", "password and code");
        realm.put("resetCredentialsFlow", "reset with a code");
        realm.put("directGrantFlow", "grant and code");
        realm.put("authenticationFlows", flows());
        realm.put(
                "authenticatorConfig",
                List.of(
                        config("e-mail one-time code", Map.of()),
                        config("level one", Map.of("loa-condition-level", "1", "loa-max-age", "36000")),
                        config("level two", Map.of("loa-condition-level", "2", "loa-max-age", "36000")),
                        config("a code was used", Map.of("credentials", "mail", "included", "true"))));
        return realm;
    }

    private static List<Map<String, Object>> flows() {
        return List.of(
                flow("password and code", true, required("auth-username-password-form"), required(subFlow("second"))),
                flow("second", false, code(), alternative("auth-otp-form")),
                flow("step up", true, alternative("auth-cookie"), alternative(subFlow("levels"))),
                flow("levels", false, conditional("level 1"), conditional("level 2")),
                flow("level 1", false, level("level one"), required("auth-username-password-form")),
                flow("level 2", false, level("level two"), code()),
                flow("session and code", true, required("auth-cookie"), code()),
                flow("choice", true, required("auth-username-password-form"), required(subFlow("ways"))),
                flow("ways", false, alternative(subFlow("by mail")), alternative(subFlow("by app"))),
                flow("by mail", false, code()),
                flow("by app", false, required("auth-otp-form")),
                flow("provider", true, alternative("auth-cookie"), alternative("identity-provider-redirector")),
                flow("no mail", true, required("auth-username-password-form"), code(), conditional("mail is refused")),
                flow(
                        "mail is refused",
                        false,
                        configured(required("conditional-credential"), "a code was used"),
                        required("deny-access-authenticator")),
                flow(
                        "reset with a code",
                        true,
                        required("reset-credentials-choose-user"),
                        code(),
                        required("reset-password")),
                flow(
                        "grant and code",
                        true,
                        required("direct-grant-validate-username"),
                        required("direct-grant-validate-password"),
                        code()),
                flow(AFTER_A_PROVIDER, true, code()));
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

    private static Map<String, Object> config(String alias, Map<String, String> config) {
        return Map.of("alias", alias, "config", config);
    }

    @SafeVarargs
    private static Map<String, Object> flow(String alias, boolean top, Map<String, Object>... executions) {
        for (int i = 0; i < executions.length; i++) {
            executions[i].put("priority", 10 * (i + 1));
        }
        return Map.of(
                "alias",
                alias,
                "providerId",
                "basic-flow",
                "topLevel",
                top,
                "builtIn",
                false,
                "authenticationExecutions",
                List.of(executions));
    }

    private static Map<String, Object> code() {
        return configured(required("auth-email-code-form"), "e-mail one-time code");
    }

    private static Map<String, Object> level(String config) {
        return configured(required("conditional-level-of-authentication"), config);
    }

    private static Map<String, Object> configured(Map<String, Object> execution, String config) {
        execution.put("authenticatorConfig", config);
        return execution;
    }

    private static Map<String, Object> required(String authenticator) {
        return required(execution("authenticator", authenticator));
    }

    private static Map<String, Object> required(Map<String, Object> execution) {
        execution.put("requirement", "REQUIRED");
        return execution;
    }

    private static Map<String, Object> alternative(String authenticator) {
        return alternative(execution("authenticator", authenticator));
    }

    private static Map<String, Object> alternative(Map<String, Object> execution) {
        execution.put("requirement", "ALTERNATIVE");
        return execution;
    }

    private static Map<String, Object> conditional(String flow) {
        Map<String, Object> execution = subFlow(flow);
        execution.put("requirement", "CONDITIONAL");
        return execution;
    }

    private static Map<String, Object> subFlow(String alias) {
        Map<String, Object> execution = execution("flowAlias", alias);
        execution.put("authenticatorFlow", true);
        return execution;
    }

    private static Map<String, Object> execution(String key, String value) {
        Map<String, Object> execution = new HashMap<>();
        execution.put(key, value);
        return execution;
    }
}
