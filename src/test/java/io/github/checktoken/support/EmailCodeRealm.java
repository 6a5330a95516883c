package io.github.checktoken.support;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A realm of its own where people sign in with their password and a code by e-mail. */
public final class EmailCodeRealm implements AutoCloseable {

    private static final String SECRET = "email-code-secret";
    private static final String CLIENT = "sp-post";
    private static final String REDIRECT_URI = "http://localhost:8999/sp-post/callback";

    private static final Map<String, String> PASSWORD = Map.of("type", "password", "value", "demo-password");
    private static final Map<String, String> OTP = Map.of(
            "type", "otp",
            "secretData", "{\"value\":\"a-secret-of-20-chars\"}",
            "credentialData",
                    "{\"subType\":\"totp\",\"digits\":6,\"counter\":0,\"period\":30,\"algorithm\":\"HmacSHA1\"}");

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final String name = "post-" + UUID.randomUUID();
    private final AdminApi admin;

    public EmailCodeRealm(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.mailServer = mailServer;
        this.admin = new AdminApi(server, name);
        new AdminApi(server, "").post("", json());
    }

    public AdminApi admin() {
        return admin;
    }

    public ServiceProvider serviceProvider() {
        return new ServiceProvider(server, name, CLIENT, SECRET, REDIRECT_URI);
    }

    /** A new person, with a verified address of their own. */
    public Person person() {
        return person(List.of(PASSWORD));
    }

    /** The same with an authenticator application as well. */
    public Person personWithOtp() {
        return person(List.of(PASSWORD, OTP));
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

    /** The settings of the execution; those that are not named count as not set. */
    public void settings(Map<String, String> settings) {
        String id = execution().get("authenticationConfig").asText();
        admin.put(
                "/authentication/config/" + id,
                Map.of("id", id, "alias", "e-mail one-time code", "config", new HashMap<>(settings)));
    }

    public void requirement(String requirement) {
        ObjectNode execution = (ObjectNode) execution();
        admin.put("/authentication/flows/second/executions", execution.put("requirement", requirement));
    }

    public void mailServer(Map<String, String> smtp) {
        admin.update("", realm -> realm.set("smtpServer", Http.JSON.valueToTree(smtp)));
    }

    /** The errors of the events of a person, the last one first. */
    public List<String> errors(Person person) {
        List<String> errors = new ArrayList<>();
        events(person).forEach(event -> errors.add(event.path("error").asText()));
        return errors;
    }

    public JsonNode events(Person person) {
        return admin.get("/events?type=LOGIN_ERROR&user=" + person.path().substring("/users/".length()));
    }

    public List<MailServer.Mail> mailsTo(Person person) {
        return mailServer.mailsTo(person.address());
    }

    /** The code that was sent last. */
    public String codeOf(Person person) {
        List<MailServer.Mail> mails = mailsTo(person);
        return mails.get(mails.size() - 1).code();
    }

    /** Of as many digits as the code that was sent last. */
    public String wrongCodeFor(Person person) {
        String code = codeOf(person);
        char first = code.charAt(0);
        return (first == '9' ? '0' : (char) (first + 1)) + code.substring(1);
    }

    public String executionId() {
        return execution().get("id").asText();
    }

    /** @return what comes after the password, in this browser */
    public HttpResponse<String> signIn(Browser browser, Person person) {
        HttpResponse<String> page = browser.get(authorizationUrl());
        return browser.submit(page, Map.of("username", person.username(), "password", "demo-password"));
    }

    public String authorizationUrl() {
        return serviceProvider().authorizationUrl("/protocol/openid-connect/auth", "openid");
    }

    /** An authorization request of Keycloak's own account console. */
    public String accountConsoleUrl() {
        String account = server.realmUrl(name) + "/account/";
        return new ServiceProvider(server, name, "account-console", null, account)
                        .authorizationUrl("/protocol/openid-connect/auth", "openid")
                + "&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    }

    @Override
    public void close() {
        admin.delete("");
    }

    /** @param path in the admin API */
    public record Person(String path, String username, String address) {}

    private JsonNode execution() {
        for (JsonNode execution : admin.get("/authentication/flows/second/executions")) {
            if ("auth-email-code-form".equals(execution.path("providerId").asText())) {
                return execution;
            }
        }
        throw new AssertionError("no e-mail code in the flow");
    }

    private Map<String, Object> json() {
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", name);
        realm.put("displayName", "Post office");
        realm.put("enabled", true);
        realm.put("internationalizationEnabled", true);
        realm.put("supportedLocales", List.of("en", "fr"));
        realm.put("defaultLocale", "en");
        realm.put("eventsEnabled", true);
        realm.put("smtpServer", mailServer.settings());
        realm.put(
                "clients",
                List.of(Map.of(
                        "clientId",
                        CLIENT,
                        "name",
                        "Letter box & Co",
                        "secret",
                        SECRET,
                        "redirectUris",
                        List.of(REDIRECT_URI))));
        realm.put("browserFlow", "password and code");
        realm.put(
                "authenticationFlows",
                List.of(
                        flow(
                                "password and code",
                                true,
                                execution("auth-username-password-form", "REQUIRED"),
                                Map.of(
                                        "flowAlias",
                                        "second",
                                        "authenticatorFlow",
                                        true,
                                        "requirement",
                                        "REQUIRED",
                                        "priority",
                                        20)),
                        flow(
                                "second",
                                false,
                                execution("auth-email-code-form", "REQUIRED"),
                                execution("auth-otp-form", "ALTERNATIVE"))));
        realm.put("authenticatorConfig", List.of(Map.of("alias", "e-mail one-time code", "config", Map.of())));
        return realm;
    }

    @SafeVarargs
    private static Map<String, Object> flow(String alias, boolean top, Map<String, Object>... executions) {
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

    private static Map<String, Object> execution(String authenticator, String requirement) {
        Map<String, Object> execution = new HashMap<>();
        execution.put("authenticator", authenticator);
        execution.put("requirement", requirement);
        execution.put("priority", authenticator.equals("auth-otp-form") ? 20 : 10);
        if (authenticator.equals("auth-email-code-form")) {
            execution.put("authenticatorConfig", "e-mail one-time code");
        }
        return execution;
    }
}
