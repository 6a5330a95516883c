package io.github.checktoken.support.realm;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

/**
 * A realm where people sign in with their password and a code by e-mail. Some of its clients have another flow. People
 * who have forgotten the password set a new one with a code.
 */
public final class EmailCodeRealm implements AutoCloseable {

    private static final String UPSTREAM = "identity-provider";

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final String name = "post-" + UUID.randomUUID();
    private final AdminApi admin;
    private final List<String> upstreamClients = new ArrayList<>();

    public EmailCodeRealm(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.mailServer = mailServer;
        this.admin = new AdminApi(server, name);
        new AdminApi(server, "").post("", GivenKey.REALM.addTo(EmailCodeRealmJson.of(name, mailServer.settings())));
        EmailCodeRealmJson.FLOWS.forEach(this::bind);
    }

    private void bind(String client, String flow) {
        String id = admin.flow(flow);
        admin.update(
                admin.client(client),
                json -> json.putObject("authenticationFlowBindingOverrides").put("browser", id));
    }

    public AdminApi admin() {
        return admin;
    }

    public ServiceProvider serviceProvider() {
        return serviceProvider(EmailCodeRealmJson.CLIENT);
    }

    public ServiceProvider stepUpServiceProvider() {
        return serviceProvider(EmailCodeRealmJson.STEP_UP_CLIENT);
    }

    public ServiceProvider sessionServiceProvider() {
        return serviceProvider(EmailCodeRealmJson.SESSION_CLIENT);
    }

    public ServiceProvider choiceServiceProvider() {
        return serviceProvider(EmailCodeRealmJson.CHOICE_CLIENT);
    }

    /** @return clients in whose flows people without an address can set up a one-time password */
    public List<ServiceProvider> setUpServiceProviders() {
        return List.of(
                serviceProvider(EmailCodeRealmJson.SET_UP_CLIENT),
                serviceProvider(EmailCodeRealmJson.SET_UP_ABOVE_CLIENT));
    }

    public ServiceProvider providerServiceProvider() {
        return serviceProvider(EmailCodeRealmJson.PROVIDER_CLIENT);
    }

    public ServiceProvider noMailServiceProvider() {
        return serviceProvider(EmailCodeRealmJson.NO_MAIL_CLIENT);
    }

    private ServiceProvider serviceProvider(String client) {
        return new ServiceProvider(
                server, name, client, EmailCodeRealmJson.SECRET, EmailCodeRealmJson.redirectUri(client));
    }

    /** @return a SAML client that asks everybody who has a session for a code */
    public String samlClient() {
        return EmailCodeRealmJson.SAML_CLIENT;
    }

    public String samlRedirectUri() {
        return EmailCodeRealmJson.redirectUri(EmailCodeRealmJson.SAML_CLIENT);
    }

    /** @return a client that authenticates with {@code client_secret_jwt} */
    public String machine() {
        return EmailCodeRealmJson.MACHINE;
    }

    public String secret() {
        return EmailCodeRealmJson.SECRET;
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    /**
     * Creates an identity provider, which is a client of the demo's upstream realm. People are asked for a code when
     * they come back from it.
     *
     * @param person the person whom the upstream realm knows as jeanne
     * @return the alias of the identity provider
     */
    public String providerOf(Person person) {
        AdminApi upstream = new AdminApi(server, UPSTREAM);
        String alias = "idp-" + UUID.randomUUID();
        Map<String, Object> client = Map.of(
                "clientId",
                alias,
                "secret",
                EmailCodeRealmJson.SECRET,
                "redirectUris",
                List.of(url() + "/broker/" + alias + "/endpoint"));
        upstreamClients.add("/clients/" + upstream.create("/clients", client));
        String endpoints = server.realmUrl(UPSTREAM) + "/protocol/openid-connect/";
        admin.create(
                "/identity-provider/instances",
                Map.of(
                        "alias",
                        alias,
                        "providerId",
                        "oidc",
                        "enabled",
                        true,
                        "postBrokerLoginFlowAlias",
                        EmailCodeRealmJson.AFTER_A_PROVIDER,
                        "config",
                        Map.of(
                                "clientId",
                                alias,
                                "clientSecret",
                                EmailCodeRealmJson.SECRET,
                                "authorizationUrl",
                                endpoints + "auth",
                                "tokenUrl",
                                endpoints + "token",
                                "jwksUrl",
                                endpoints + "certs",
                                "useJwksUrl",
                                "true",
                                "acceptsPromptNoneForwardFromClient",
                                "true")));
        String id = upstream.user("jeanne").substring("/users/".length());
        admin.post(
                person.path() + "/federated-identity/" + alias,
                Map.of("identityProvider", alias, "userId", id, "userName", "jeanne"));
        return alias;
    }

    /** Creates a person with a verified address. */
    public Person person() {
        return person(List.of(DemoPerson.PASSWORD));
    }

    /** Creates a person with a verified address who also has an authenticator application. */
    public Person personWithOtp() {
        return person(List.of(DemoPerson.PASSWORD, Totp.credential()));
    }

    private Person person(List<Map<String, String>> credentials) {
        String id = UUID.randomUUID().toString().substring(0, 8);
        Map<String, Object> user = new HashMap<>();
        user.put("username", "person-" + id);
        user.put("enabled", true);
        user.put("firstName", "Claude");
        user.put("lastName", "Martin");
        user.put("email", "claude-" + id + "@example.org");
        user.put("emailVerified", true);
        user.put("credentials", credentials);
        String path = "/users/" + admin.create("/users", user);
        return new Person(path, "person-" + id, "claude-" + id + "@example.org");
    }

    /** Replaces all settings of the execution. A setting that is left out is not set any more. */
    public void settings(Map<String, String> settings) {
        String id = code().get("authenticationConfig").asText();
        admin.put(
                "/authentication/config/" + id,
                Map.of("id", id, "alias", "e-mail one-time code", "config", new HashMap<>(settings)));
    }

    public void requirement(String requirement) {
        ObjectNode execution = (ObjectNode) code();
        admin.put(
                "/authentication/flows/" + EmailCodeRealmJson.MAIN_FLOW + "/executions",
                execution.put("requirement", requirement));
    }

    public void mailServer(Map<String, String> smtp) {
        admin.update("", realm -> realm.set("smtpServer", Http.JSON.valueToTree(smtp)));
    }

    /** @return the errors of a person's login events, the newest first */
    public List<String> errors(Person person) {
        return errors(person, "LOGIN_ERROR");
    }

    public List<String> errors(Person person, String event) {
        List<String> errors = new ArrayList<>();
        events(person, event).forEach(each -> errors.add(each.path("error").asText()));
        return errors;
    }

    public JsonNode events(Person person) {
        return events(person, "LOGIN_ERROR");
    }

    private JsonNode events(Person person, String type) {
        return admin.get("/events?type=" + type + "&user=" + person.path().substring("/users/".length()));
    }

    /** @return what the brute-force protection knows about a person */
    public JsonNode attacks(Person person) {
        return admin.get("/attack-detection/brute-force" + person.path());
    }

    public int failures(Person person) {
        return attacks(person).get("numFailures").asInt();
    }

    /**
     * Waits until Keycloak has counted this number of failures. It counts after it has answered, and sometimes counts
     * two simultaneous failures as one. So each failure must be awaited.
     */
    public void awaitFailures(Person person, int failures) {
        long end = System.nanoTime() + 10_000_000_000L;
        int counted = failures(person);
        while (counted < failures && System.nanoTime() < end) {
            counted = failures(person);
        }
        if (counted != failures) {
            throw new AssertionError(counted + " failures instead of " + failures);
        }
    }

    public List<MailServer.Mail> mailsTo(Person person) {
        return mailServer.mailsTo(person.address());
    }

    /** @return the code that was sent last */
    public String codeOf(Person person) {
        List<MailServer.Mail> mails = mailsTo(person);
        return mails.get(mails.size() - 1).code();
    }

    /** @return a wrong code, with as many digits as the code that was sent last */
    public String wrongCodeFor(Person person) {
        String code = codeOf(person);
        char first = code.charAt(0);
        return (first == '9' ? '0' : (char) (first + 1)) + code.substring(1);
    }

    public String executionId() {
        return code().get("id").asText();
    }

    /** @param flow the alias of a top-level flow */
    public String executionId(String flow, String authenticator) {
        return admin.execution(flow, authenticator).get("id").asText();
    }

    /** @return the response to the password */
    public HttpResponse<String> signIn(Browser browser, Person person) {
        HttpResponse<String> page = browser.get(authorizationUrl());
        return browser.givePassword(page, person.username());
    }

    public String authorizationUrl() {
        return serviceProvider().authorizationUrl("/protocol/openid-connect/auth", "openid");
    }

    /** @return the address of an authorization request of Keycloak's own account console */
    public String accountConsoleUrl() {
        String account = server.realmUrl(name) + "/account/";
        return new ServiceProvider(server, name, "account-console", null, account)
                .request()
                .challenging(new CodeVerifier(), CodeChallengeMethod.S256)
                .url();
    }

    @Override
    public void close() {
        upstreamClients.forEach(new AdminApi(server, UPSTREAM)::delete);
    }

    /** @param path the path in the admin API */
    public record Person(String path, String username, String address) {}

    private JsonNode code() {
        return admin.execution(EmailCodeRealmJson.MAIN_FLOW, "auth-email-code-form");
    }
}
