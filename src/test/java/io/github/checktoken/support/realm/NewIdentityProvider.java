package io.github.checktoken.support.realm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;

/**
 * An identity provider for one test: a client of the demo's upstream realm, and its settings in the demo realm. Unless
 * the test changes it, it uses OpenID Connect, sends no {@code amr}, and has the amr mapper with its default settings.
 */
public final class NewIdentityProvider {

    private static final String SECRET = "secret-of-the-test";

    private final AdminApi admin;
    private final AdminApi upstream;
    private final String realmUrl;
    private final String upstreamUrl;
    private final String alias = "idp-" + UUID.randomUUID();
    private final Map<String, String> settings = new HashMap<>();
    private final List<Map<String, Object>> clientMappers = new ArrayList<>();
    private String syncMode = "IMPORT";
    private String authorizationQuery = "";
    private String upstreamClient;

    NewIdentityProvider(Federation federation) {
        this.admin = federation.admin();
        this.upstream = new AdminApi(federation.server(), federation.upstream());
        this.realmUrl = federation.url();
        this.upstreamUrl = federation.server().realmUrl(federation.upstream()).toString();
    }

    public String alias() {
        return alias;
    }

    /** @param json the claim in its ID tokens, which can be any JSON */
    public NewIdentityProvider sendingAmr(String json) {
        clientMappers.add(amrClaim(json));
        return this;
    }

    /** Like a realm of this project: its ID tokens have {@code amr} only if the request asks for it. */
    public NewIdentityProvider tellingAmrIfAsked() {
        clientMappers.add(NewDataProvider.mapperJson("amr", "oidc-requested-amr-mapper", Map.of()));
        return this;
    }

    /** Appends this to the address of its login page. */
    public NewIdentityProvider authorizationQuery(String query) {
        authorizationQuery = query;
        return this;
    }

    /** Sets a setting of the amr mapper. */
    public NewIdentityProvider setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** @param mode IMPORT, FORCE or LEGACY */
    public NewIdentityProvider syncMode(String mode) {
        syncMode = mode;
        return this;
    }

    public NewIdentityProvider create() {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("clientId", alias);
        client.put("secret", SECRET);
        client.put("redirectUris", List.of(redirectUri()));
        client.put("fullScopeAllowed", false);
        client.put("defaultClientScopes", List.of("basic", "profile", "email"));
        client.put("protocolMappers", clientMappers);
        upstreamClient = "/clients/" + upstream.create("/clients", client);

        ObjectNode provider =
                admin.get("/identity-provider/instances/identity-provider").deepCopy();
        ObjectNode config = (ObjectNode) provider.get("config");
        config.put("clientId", alias).put("clientSecret", SECRET);
        config.put("authorizationUrl", config.get("authorizationUrl").asText() + authorizationQuery);
        save(provider, "oidc", config);
        return this;
    }

    /**
     * Creates it for SAML 2.0. Signatures are checked with the keys of its metadata. It identifies people by username.
     */
    public NewIdentityProvider createSaml() {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("clientId", alias);
        client.put("protocol", "saml");
        client.put("redirectUris", List.of(redirectUri()));
        client.put(
                "attributes",
                Map.of(
                        "saml.server.signature", "true",
                        "saml.client.signature", "false",
                        "saml.force.post.binding", "false",
                        "saml_force_name_id_format", "true",
                        "saml_name_id_format", "username"));
        upstreamClient = "/clients/" + upstream.create("/clients", client);

        String metadata = upstreamUrl + "/protocol/saml/descriptor";
        ObjectNode config = (ObjectNode) Http.json(admin.send(
                "POST", "/identity-provider/import-config", Map.of("providerId", "saml", "fromUrl", metadata)));
        config.put("entityId", alias);
        config.put("validateSignature", "true");
        // Uses only redirects, because a browser without JavaScript can follow them.
        config.put("postBindingAuthnRequest", "false").put("postBindingResponse", "false");
        save(Http.JSON.createObjectNode(), "saml", config);
        return this;
    }

    /** Changes the claim in its ID tokens from now on. */
    public void sendAmr(String json) {
        JsonNode mapper =
                upstream.get(upstreamClient + "/protocol-mappers/models").get(0);
        ObjectNode changed = Http.JSON.valueToTree(amrClaim(json));
        changed.set("id", mapper.get("id"));
        upstream.put(
                upstreamClient + "/protocol-mappers/models/" + mapper.get("id").asText(), changed);
    }

    /** Deletes the amr mapper. From now on, none of the methods that the provider reports are used. */
    public void deleteMapper() {
        String mappers = "/identity-provider/instances/" + alias + "/mappers";
        admin.delete(mappers + "/" + admin.get(mappers).get(0).get("id").asText());
    }

    public void delete() {
        admin.delete("/identity-provider/instances/" + alias);
        upstream.delete(upstreamClient);
    }

    private void save(ObjectNode provider, String providerId, JsonNode config) {
        provider.remove("internalId");
        provider.put("alias", alias).put("providerId", providerId).put("enabled", true);
        provider.put("trustEmail", true);
        provider.put("postBrokerLoginFlowAlias", "federation after an identity provider");
        provider.set("config", ((ObjectNode) config).put("syncMode", syncMode));
        admin.create("/identity-provider/instances", provider);

        Map<String, String> mapper = new HashMap<>(settings);
        mapper.put("syncMode", "INHERIT");
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
                        mapper));
    }

    private String redirectUri() {
        return realmUrl + "/broker/" + alias + "/endpoint";
    }

    private static Map<String, Object> amrClaim(String json) {
        return NewDataProvider.mapperJson(
                "amr",
                "oidc-hardcoded-claim-mapper",
                Map.of("claim.name", "amr", "claim.value", json, "jsonType.label", "JSON", "id.token.claim", "true"));
    }
}
