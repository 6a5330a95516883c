package io.github.checktoken.login.gate.honest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

/** A realm in which people sign in in every way, with a second realm that is its identity provider. */
public final class HonestRealm {

    /** What the realm is made of. */
    public enum Kind {
        /** Only Keycloak's own flows and mappers: it uses nothing of this project. */
        PLAIN,
        /** As {@link #PLAIN}; people sign in by their organization. */
        ORGANIZATIONS,
        /** With the PIN and the code by e-mail. */
        WITH_CHECKTOKEN
    }

    static final String CALLBACK = "http://localhost:8999/callback";
    static final String SAML_CLIENT = "saml";

    /** With Keycloak's own first login: it asks for a link by mail if the account exists. */
    static final String PROVIDER = "provider";
    /** Asks for the password if the account exists. */
    static final String PROVIDER_WITH_PASSWORD = "provider-with-password";
    /** Asks for a one-time password after each login. */
    static final String PROVIDER_WITH_OTP = "provider-with-otp";

    private static final Set<String> NOT_OF_A_CLIENT =
            Set.of("otp-after-provider", "link-by-password", "reset-with-a-code");
    private static final String SECRET = "secret-of-the-honest-realm";
    private static final String CHEAP_HASH = "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)";

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final String name;
    private final AdminApi admin;
    private final AdminApi upstream;

    public HonestRealm(KeycloakServer server, MailServer mailServer, String name, Kind kind, boolean guarded) {
        this.server = server;
        this.mailServer = mailServer;
        this.name = name;
        this.admin = new AdminApi(server, name);
        this.upstream = new AdminApi(server, name + "-upstream");
        AdminApi realms = new AdminApi(server, "");
        Map<String, Object> upstreamRealm = new HashMap<>(realm(name + "-upstream"));
        upstreamRealm.put("clients", List.of(client(name, url() + "/broker/*")));
        realms.create("", GivenKey.IDENTITY_PROVIDER.addTo(upstreamRealm));
        realms.create("", GivenKey.REALM.addTo(json(kind)));
        HonestRealmFlows.bind(admin, NOT_OF_A_CLIENT, kind);
        if (guarded) {
            admin.update("", realm -> realm.withObject("/attributes").put("checktoken.login.gate", "on"));
        }
        admin.update("/authentication/required-actions/TERMS_AND_CONDITIONS", action -> action.put("enabled", true));
        createProvider(PROVIDER, Map.of());
        createProvider(PROVIDER_WITH_PASSWORD, Map.of("firstBrokerLoginFlowAlias", "link-by-password"));
        createProvider(PROVIDER_WITH_OTP, Map.of("postBrokerLoginFlowAlias", "otp-after-provider"));
    }

    AdminApi admin() {
        return admin;
    }

    /** The realm of the identity provider. */
    AdminApi upstream() {
        return upstream;
    }

    String url() {
        return server.realmUrl(name).toString();
    }

    MailServer mailServer() {
        return mailServer;
    }

    ServiceProvider client(String clientId) {
        return new ServiceProvider(server, name, clientId, SECRET, CALLBACK);
    }

    private Map<String, Object> json(Kind kind) {
        FlowText own = FlowText.load("/honest-flows.txt");
        List<Map<String, Object>> flows = new ArrayList<>(own.flows());
        List<Map<String, Object>> configs = new ArrayList<>(own.configs());
        if (kind == Kind.WITH_CHECKTOKEN) {
            FlowText more = FlowText.load("/honest-flows-with-checktoken.txt");
            flows.addAll(more.flows());
            configs.addAll(more.configs());
        }
        List<Map<String, Object>> clients = new ArrayList<>();
        clients.add(client("app", CALLBACK));
        clients.add(client("other", CALLBACK));
        clients.add(samlClient());
        flows.stream()
                .filter(flow -> flow.get("topLevel").equals(true))
                .map(flow -> flow.get("alias").toString())
                .filter(flow -> !NOT_OF_A_CLIENT.contains(flow))
                .forEach(flow -> clients.add(client(flow, CALLBACK)));
        Map<String, Object> realm = new HashMap<>(realm(name));
        realm.put("registrationAllowed", true);
        realm.put("resetPasswordAllowed", true);
        realm.putAll(Totp.POLICY);
        realm.put("eventsEnabled", true);
        realm.put("organizationsEnabled", kind == Kind.ORGANIZATIONS);
        realm.put("smtpServer", mailServer.settings());
        realm.put("authenticationFlows", flows);
        realm.put("authenticatorConfig", configs);
        realm.put("clients", clients);
        if (kind == Kind.WITH_CHECKTOKEN) {
            realm.put("resetCredentialsFlow", "reset-with-a-code");
        }
        return realm;
    }

    private static Map<String, Object> realm(String name) {
        return Map.of(
                "realm", name, "enabled", true, "defaultSignatureAlgorithm", "ES256", "passwordPolicy", CHEAP_HASH);
    }

    private static Map<String, Object> client(String clientId, String redirectUri) {
        Map<String, Object> client = new HashMap<>();
        client.put("clientId", clientId);
        client.put("secret", SECRET);
        client.put("redirectUris", List.of(redirectUri));
        client.put("directAccessGrantsEnabled", true);
        client.put("implicitFlowEnabled", true);
        client.put(
                "attributes",
                Map.of(
                        "acr.loa.map", "{\"one\":1,\"two\":2}",
                        "post.logout.redirect.uris", CALLBACK,
                        "oauth2.device.authorization.grant.enabled", "true",
                        "standard.token.exchange.enabled", "true"));
        return client;
    }

    /** Nothing is signed, and answers come by redirect. */
    private static Map<String, Object> samlClient() {
        return Map.of(
                "clientId",
                SAML_CLIENT,
                "protocol",
                "saml",
                "redirectUris",
                List.of(CALLBACK),
                "attributes",
                Map.of(
                        "saml.server.signature", "false",
                        "saml.client.signature", "false",
                        "saml.force.post.binding", "false"));
    }

    private void createProvider(String alias, Map<String, String> more) {
        String endpoints = server.realmUrl(name + "-upstream") + "/protocol/openid-connect/";
        Map<String, Object> provider = new HashMap<>(more);
        provider.put("alias", alias);
        provider.put("providerId", "oidc");
        provider.put("enabled", true);
        provider.put(
                "config",
                Map.of(
                        "clientId", name,
                        "clientSecret", SECRET,
                        "clientAuthMethod", "client_secret_post",
                        "authorizationUrl", endpoints + "auth",
                        "tokenUrl", endpoints + "token",
                        "validateSignature", "false",
                        "disableUserInfo", "true",
                        "defaultScope", "openid profile email",
                        "syncMode", "IMPORT"));
        admin.create("/identity-provider/instances", provider);
    }
}
