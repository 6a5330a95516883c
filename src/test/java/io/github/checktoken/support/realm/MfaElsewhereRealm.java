package io.github.checktoken.support.realm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.server.KeycloakServer;

import static io.github.checktoken.support.realm.NewDataProvider.mapperJson;

/**
 * The realm of {@code docs/mfa-elsewhere.json}, with a realm that plays its provider and tells {@code amr} and
 * {@code acr} of each identity, and with the flows of {@code condition-flows.txt}.
 */
public final class MfaElsewhereRealm {

    public static final String PROVIDER = "provider";

    private static final String SECRET = "mfa-elsewhere-secret-of-32-bytes-or-more";
    private static final String CALLBACK = "http://localhost:8999/callback";

    private final KeycloakServer server;
    private final String name = "mfa-elsewhere-" + UUID.randomUUID();
    private final AdminApi admin;
    private final AdminApi upstream;

    public MfaElsewhereRealm(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, name);
        this.upstream = new AdminApi(server, name + "-provider");
        AdminApi realms = new AdminApi(server, "");
        realms.create("", GivenKey.REALM.addTo(json()));
        realms.create(
                "",
                GivenKey.IDENTITY_PROVIDER.addTo(Map.of(
                        "realm",
                        name + "-provider",
                        "enabled",
                        true,
                        "clients",
                        List.of(Map.of(
                                "clientId",
                                "mfa-elsewhere",
                                "secret",
                                SECRET,
                                "redirectUris",
                                List.of(url() + "/broker/" + PROVIDER + "/endpoint"),
                                "protocolMappers",
                                List.of(attribute("amr"), attribute("acr")),
                                "defaultClientScopes",
                                List.of("basic", "profile", "email"))))));
        upstream.update("/users/profile", profile -> profile.put("unmanagedAttributePolicy", "ADMIN_EDIT"));
        for (var flow : admin.get("/authentication/flows")) {
            if (FlowText.load("/condition-flows.txt").flows().stream()
                    .anyMatch(ours -> flow.get("alias").asText().equals(ours.get("alias")))) {
                createClient(flow.get("alias").asText(), flow.get("id").asText());
            }
        }
    }

    private void createClient(String clientId, String flow) {
        admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "secret",
                        SECRET,
                        "redirectUris",
                        List.of(CALLBACK),
                        "authenticationFlowBindingOverrides",
                        Map.of("browser", flow),
                        "protocolMappers",
                        List.of(
                                mapperJson(
                                        "amr",
                                        "oidc-requested-amr-mapper",
                                        Map.of("amr.released.values", "pwd##otp##mfa")),
                                mapperJson("acr", "oidc-login-acr-mapper", Map.of("id.token.claim", "true"))),
                        "defaultClientScopes",
                        List.of("basic", "profile", "email")));
    }

    private ObjectNode json() {
        try {
            ObjectNode realm = (ObjectNode) Http.JSON.readTree(Files.readString(Path.of("docs/mfa-elsewhere.json"))
                    .replace("https://provider.example.org/authorize", upstreamUrl() + "/protocol/openid-connect/auth")
                    .replace("https://provider.example.org/token", upstreamUrl() + "/protocol/openid-connect/token")
                    .replace("https://provider.example.org/jwks", upstreamUrl() + "/protocol/openid-connect/certs")
                    .replace("https://provider.example.org", upstreamUrl())
                    .replace("change me", SECRET));
            realm.put("realm", name);
            realm.put("passwordPolicy", "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)");
            realm.setAll((ObjectNode) Http.JSON.valueToTree(Totp.POLICY));
            FlowText flows = FlowText.load("/condition-flows.txt");
            flows.flows()
                    .forEach(flow -> realm.withArray("/authenticationFlows").addPOJO(Http.JSON.valueToTree(flow)));
            flows.configs()
                    .forEach(config -> realm.withArray("/authenticatorConfig").addPOJO(Http.JSON.valueToTree(config)));
            return realm;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> attribute(String claim) {
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
                        String.valueOf(claim.equals("amr")),
                        "id.token.claim",
                        "true"));
    }

    public AdminApi admin() {
        return admin;
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    private String upstreamUrl() {
        return server.realmUrl(name + "-provider").toString();
    }

    public Browser browser() {
        return new Browser(server);
    }

    public ServiceProvider client(String flow) {
        return new ServiceProvider(server, name, flow, SECRET, CALLBACK);
    }

    /** Changes settings of the provider's amr mapper. */
    public void setMapper(Map<String, String> settings) {
        String mappers = "/identity-provider/instances/" + PROVIDER + "/mappers";
        String id = admin.get(mappers).get(0).get("id").asText();
        admin.update(mappers + "/" + id, mapper -> settings.forEach(mapper.withObject("/config")::put));
    }

    /** @param flow the post login flow of the provider; empty for none */
    public void setPostLoginFlow(String flow) {
        admin.update(
                "/identity-provider/instances/" + PROVIDER, provider -> provider.put("postBrokerLoginFlowAlias", flow));
    }

    /**
     * Creates somebody with a password and a one-time password here, who has the same name and is linked at the provider.
     *
     * @param told what the provider tells of this person: {@code amr}, {@code acr}
     */
    public String newPerson(Map<String, List<String>> told) {
        String person = "person-" + UUID.randomUUID();
        String id = create(admin, person, List.of(DemoPerson.PASSWORD, Totp.credential()), Map.of());
        String there = create(upstream, person, List.of(DemoPerson.PASSWORD), told);
        admin.post(
                "/users/" + id + "/federated-identity/" + PROVIDER,
                Map.of("userId", there, "userName", person, "identityProvider", PROVIDER));
        return person;
    }

    private static String create(
            AdminApi realm, String person, List<Map<String, String>> credentials, Map<String, List<String>> told) {
        Map<String, Object> user = new HashMap<>();
        user.put("username", person);
        user.put("enabled", true);
        user.put("firstName", "Claude");
        user.put("lastName", "Martin");
        user.put("email", person + "@example.org");
        user.put("credentials", credentials);
        user.put("attributes", told);
        return realm.create("/users", user);
    }

    /** Signs in at the provider, up to what is asked here afterwards. */
    public HttpResponse<String> signInThere(Browser browser, String person, String loginUrl) {
        return browser.givePassword(browser.get(loginUrl + "&kc_idp_hint=" + PROVIDER), person);
    }
}
