package io.github.checktoken.walk.realm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.server.KeycloakServer;

import static io.github.checktoken.support.realm.NewDataProvider.mapperJson;
import static java.util.stream.Collectors.toMap;

/**
 * The realm of the walks, and two realms that are its identity providers. Both report the methods of each identity.
 * With {@code up}, people link their accounts themselves, and are asked for the PIN afterwards if they have one. With
 * {@code auto}, accounts are linked by the address, and nothing is asked afterwards.
 */
public final class WalkRealm {

    public static final String UP = "up";
    public static final String AUTO = "auto";
    public static final List<String> PROVIDERS = List.of(UP, AUTO);

    /** Each client has the flow of this name in {@code walk-flows.txt}; {@code consent} has {@code pin-if-set-up}. */
    public static final List<String> CLIENTS = List.of(
            "pin-if-set-up",
            "pin",
            "ways",
            "username-pin",
            "password-mail",
            "mail-or-other",
            "step-up",
            "federation",
            "pin-and-code",
            "username-password",
            "levels-and-mail",
            "if-proved",
            "consent");

    public static final String KEYCLOAKS_RESET = "reset credentials";
    public static final String RESET_WITH_CODE = "reset-with-code";
    public static final List<String> FRONT_CHANNEL =
            List.of("id_token", "token", "id_token token", "code id_token", "code token", "code id_token token");

    public static final String DOCUMENTS = "documents";
    public static final String DOCUMENT = "document";

    public static final String STEP_UP = "step-up";

    /** Their mapper tells the level of the login of its tokens. That of the others, Keycloak's, tells the session's. */
    public static final List<String> LEVEL_OF_THE_LOGIN = List.of(STEP_UP, "if-proved");

    public static final List<String> WITH_LEVELS = List.of(STEP_UP, "levels-and-mail", "if-proved");

    /** What {@link #UP} tells as {@code acr} of those who use a PIN there. The mapper gives it the second level. */
    public static final String ACR_THERE = "urn:substantial";

    public static final String CALLBACK = "http://localhost:8999/callback";
    public static final String SECRET = "secret-of-the-walk";

    private static final String CHEAP_SIGNATURE = "ES256";
    private static final String CHEAP_HASH = "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)";
    private static final String RELEASED = "pwd##pop##pin##mail##otp##hwk##swk##sms##geo##mfa";

    private final KeycloakServer server;
    private final Map<String, String> usernames = new ConcurrentHashMap<>();
    private final Map<String, MailCodeExecution> mailCodeExecutions = new HashMap<>();
    private final List<Map.Entry<String, String>> steps = new ArrayList<>();
    private final String name = "walk-" + UUID.randomUUID().toString().substring(0, 8);
    private final String resetFlow;
    private final boolean guarded;
    private final AdminApi admin;
    private final Map<String, AdminApi> providers = new HashMap<>();

    /** Resets credentials as Keycloak does by default: with a link in a mail. */
    public WalkRealm(KeycloakServer server, Map<String, String> smtp) {
        this(server, smtp, KEYCLOAKS_RESET, true);
    }

    /**
     * @param resetFlow the flow that resets credentials, of {@code walk-flows.txt} or one of Keycloak's own
     * @param guarded if not, logins are as without this project
     */
    public WalkRealm(KeycloakServer server, Map<String, String> smtp, String resetFlow, boolean guarded) {
        this.server = server;
        this.guarded = guarded;
        this.admin = new AdminApi(server, name);
        AdminApi realms = new AdminApi(server, "");
        this.resetFlow = resetFlow;
        realms.create("", GivenKey.REALM.addTo(json(smtp)));
        admin.post("/authentication/register-required-action", Map.of("providerId", "configure-pin", "name", "PIN"));
        for (String provider : PROVIDERS) {
            createProvider(realms, provider);
        }
    }

    /**
     * In the same order in each realm, because a walk takes one by its number.
     *
     * @return the ids of all steps of the flows for logins and resets, each with its authenticator
     */
    public synchronized List<Map.Entry<String, String>> steps() {
        if (steps.isEmpty()) {
            Stream<String> logins = CLIENTS.stream().filter(flow -> !flow.equals("consent"));
            Stream.concat(logins, Stream.of(resetFlow, "first broker login"))
                    .flatMap(this::executions)
                    .filter(execution -> execution.has("providerId")
                            && !execution.path("authenticationFlow").asBoolean())
                    .forEach(execution -> steps.add(Map.entry(
                            execution.get("id").asText(),
                            execution.get("providerId").asText())));
        }
        return steps;
    }

    /** @return the executions that send codes by mail, by their ids */
    public synchronized Map<String, MailCodeExecution> mailCodeExecutions() {
        if (mailCodeExecutions.isEmpty()) {
            Stream.concat(CLIENTS.stream().filter(flow -> !flow.equals("consent")), Stream.of(RESET_WITH_CODE))
                    .forEach(this::readMailCodeExecutions);
        }
        return mailCodeExecutions;
    }

    private void readMailCodeExecutions(String flow) {
        executions(flow)
                .filter(execution -> execution.path("providerId").asText().equals("auth-email-code-form"))
                .forEach(execution -> {
                    String max = execution.get("alias").asText().replaceAll(".*maxCodesPerHour ([0-9]+).*", "$1");
                    mailCodeExecutions.put(
                            execution.get("id").asText(),
                            new MailCodeExecution(flow.equals(RESET_WITH_CODE), Integer.parseInt(max)));
                });
    }

    private Stream<JsonNode> executions(String flow) {
        JsonNode executions =
                admin.get("/authentication/flows/" + Http.encode(flow).replace("+", "%20") + "/executions");
        return StreamSupport.stream(executions.spliterator(), false);
    }

    public boolean isGuarded() {
        return guarded;
    }

    public AdminApi admin() {
        return admin;
    }

    /** @return the client of this name, which has a flow of its own: see {@link #CLIENTS} */
    public ServiceProvider client(String clientId) {
        return new ServiceProvider(server, name, clientId, SECRET, CALLBACK);
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    /** @return empty if there is no such user any more */
    public String username(String id) {
        return usernames.computeIfAbsent(
                id,
                key -> admin.get("/users?search=id:" + key)
                        .path(0)
                        .path("username")
                        .asText());
    }

    AdminApi provider(String alias) {
        return providers.get(alias);
    }

    public String providerUrl(String alias) {
        return server.realmUrl(name + "-" + alias).toString();
    }

    private Map<String, Object> json(Map<String, String> smtp) {
        FlowText flows = FlowText.load("/walk-flows.txt");
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", name);
        realm.put("enabled", true);
        realm.put("defaultSignatureAlgorithm", CHEAP_SIGNATURE);
        realm.put("passwordPolicy", CHEAP_HASH);
        realm.put("registrationAllowed", true);
        realm.put("resetPasswordAllowed", true);
        realm.putAll(Totp.POLICY);
        // Devices may ask for their tokens as often as they like.
        realm.put("oauth2DevicePollingInterval", 0);
        realm.put("oauth2DeviceCodeLifespan", 600);
        realm.put("eventsEnabled", true);
        realm.put("enabledEventTypes", List.of("UPDATE_CREDENTIAL"));
        realm.put("smtpServer", smtp);
        Map<String, String> attributes = new HashMap<>(Map.of("acr.loa.map", "{\"eidas1\":1,\"eidas2\":2}"));
        if (!guarded) {
            attributes.put("checktoken.login.gate", "off");
        }
        realm.put("attributes", attributes);
        realm.put("browserFlow", "pin-if-set-up");
        realm.put("resetCredentialsFlow", resetFlow);
        List<Map<String, Object>> allFlows = flows.flows();
        realm.put("authenticationFlows", allFlows);
        realm.put("authenticatorConfig", flows.configs());
        Map<Object, Object> ids = allFlows.stream().collect(toMap(flow -> flow.get("alias"), flow -> flow.get("id")));
        realm.put(
                "clients",
                Stream.concat(
                                Stream.of(documents()),
                                CLIENTS.stream()
                                        .map(client -> clientJson(
                                                client, ids.get(client.equals("consent") ? "pin-if-set-up" : client))))
                        .toList());
        return realm;
    }

    /** A policy enforcer's client, whose resource everybody may use. */
    private static Map<String, Object> documents() {
        return Map.of(
                "clientId",
                DOCUMENTS,
                "secret",
                SECRET,
                "serviceAccountsEnabled",
                true,
                "authorizationServicesEnabled",
                true,
                "authorizationSettings",
                Map.of(
                        "policyEnforcementMode",
                        "PERMISSIVE",
                        "resources",
                        List.of(Map.of("name", DOCUMENT, "type", DOCUMENT))));
    }

    private static Map<String, Object> clientJson(String clientId, Object flow) {
        Map<String, Object> client = new HashMap<>();
        client.put("clientId", clientId);
        client.put("secret", SECRET);
        client.put("redirectUris", List.of(CALLBACK));
        client.put("consentRequired", clientId.equals("consent"));
        client.put("implicitFlowEnabled", true);
        client.put(
                "attributes",
                Map.of(
                        "oauth2.device.authorization.grant.enabled",
                        "true",
                        "standard.token.exchange.enabled",
                        "true",
                        "post.logout.redirect.uris",
                        CALLBACK));
        client.put("authenticationFlowBindingOverrides", Map.of("browser", flow));
        Map<String, Object> amr =
                mapperJson("amr", "oidc-requested-amr-mapper", Map.of("amr.released.values", RELEASED));
        if (LEVEL_OF_THE_LOGIN.contains(clientId)) {
            Map<String, String> everywhere = Map.of("id.token.claim", "true", "access.token.claim", "true");
            client.put("protocolMappers", List.of(amr, mapperJson("acr", "oidc-login-acr-mapper", everywhere)));
            client.put("defaultClientScopes", List.of("basic", "profile", "email", "roles"));
        } else {
            client.put("protocolMappers", List.of(amr));
        }
        return client;
    }

    private void createProvider(AdminApi realms, String alias) {
        String upstream = name + "-" + alias;
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", upstream);
        realm.put("enabled", true);
        realm.put("defaultSignatureAlgorithm", CHEAP_SIGNATURE);
        realm.put("passwordPolicy", CHEAP_HASH);
        realm.put(
                "clients",
                List.of(Map.of(
                        "clientId",
                        "walked-realm",
                        "secret",
                        SECRET,
                        "redirectUris",
                        List.of(url() + "/broker/" + alias + "/endpoint"),
                        "protocolMappers",
                        List.of(claimOfTheIdentity("amr", true), claimOfTheIdentity("acr", false)),
                        "defaultClientScopes",
                        List.of("basic", "profile", "email"))));
        realms.create("", GivenKey.IDENTITY_PROVIDER.addTo(realm));
        AdminApi provider = new AdminApi(server, upstream);
        provider.update("/users/profile", profile -> profile.put("unmanagedAttributePolicy", "ADMIN_EDIT"));
        providers.put(alias, provider);
        String url = server.realmUrl(upstream) + "/protocol/openid-connect";
        Map<String, String> config = new HashMap<>();
        config.put("issuer", server.realmUrl(upstream).toString());
        config.put("authorizationUrl", url + "/auth");
        config.put("tokenUrl", url + "/token");
        config.put("validateSignature", "false");
        config.put("clientId", "walked-realm");
        config.put("clientSecret", SECRET);
        config.put("clientAuthMethod", "client_secret_post");
        config.put("defaultScope", "openid profile email");
        config.put("disableUserInfo", "true");
        config.put("syncMode", "IMPORT");
        Map<String, Object> instance = new HashMap<>();
        instance.put("alias", alias);
        instance.put("providerId", "oidc");
        instance.put("enabled", true);
        instance.put("trustEmail", alias.equals(AUTO));
        instance.put("firstBrokerLoginFlowAlias", alias.equals(AUTO) ? "auto-link" : "first broker login");
        if (alias.equals(UP)) {
            instance.put("postBrokerLoginFlowAlias", "after-provider");
        }
        instance.put("config", config);
        admin.create("/identity-provider/instances", instance);
        admin.create(
                "/identity-provider/instances/" + alias + "/mappers",
                Map.of(
                        "name",
                        "amr",
                        "identityProviderAlias",
                        alias,
                        "identityProviderMapper",
                        "oidc-amr-idp-mapper",
                        "config",
                        Map.of(
                                "syncMode",
                                "INHERIT",
                                "amr.ask.provider",
                                "true",
                                "amr.accepted.values",
                                "pwd##pin##pop##otp",
                                "acr.levels",
                                "[{\"key\":\"" + ACR_THERE + "\",\"value\":\"2\"}]")));
    }

    private static Map<String, Object> claimOfTheIdentity(String claim, boolean multivalued) {
        return mapperJson(
                claim,
                "oidc-usermodel-attribute-mapper",
                Map.of(
                        "user.attribute",
                        claim,
                        "claim.name",
                        claim,
                        "jsonType.label",
                        "String",
                        "multivalued",
                        String.valueOf(multivalued),
                        "id.token.claim",
                        "true"));
    }
}
