package io.github.checktoken.support.realm;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.server.KeycloakServer;

/** A realm for one test class, in which people sign in with a password and a PIN; see {@code pin-flows.txt}. */
public final class PinRealm {

    /** Requires the password and the PIN. This flow and those below each have a client of the same name. */
    public static final String PIN_FLOW = "pin";

    /** Asks for the PIN only if the person has one. */
    public static final String PIN_IF_SET_UP_FLOW = "pin-if-set-up";

    /** Asks for the PIN, and offers the password form instead. */
    public static final String PIN_OR_PASSWORD_FLOW = "pin-or-password";

    /** Asks only for the password. */
    public static final String PIN_NOT_ASKED_FLOW = "pin-not-asked";

    /** Asks only for the password, and tells another value than {@code pwd} for it. */
    public static final String PIN_NOT_ASKED_REFERENCE_FLOW = "pin-not-asked-reference";

    /** Asks for the username, and then for the password. */
    public static final String PIN_USERNAME_FIRST_FLOW = "pin-username-first";

    /** Asks for the password, and then for a one-time password or the PIN. */
    public static final String PIN_OR_OTP_FLOW = "pin-or-otp";

    /** Also asks for the PIN if the person has one. This flow has no client. */
    public static final String DIRECT_GRANT_FLOW = "direct-grant-with-pin";

    /** The PIN of {@link #newPersonWithPin}. */
    public static final String PIN = "739154";

    public static final String WRONG_PIN = "508263";

    /** How many wrong PINs {@link #PIN_FLOW} allows. */
    public static final int MAX_FAILURES = 3;

    private static final String SECRET = "pin-demo-secret";
    private static final String REDIRECT_URI = "http://localhost:8999/callback";

    private final KeycloakServer server;
    private final String name = "pin-" + UUID.randomUUID();
    private final AdminApi admin;

    public PinRealm(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, name);
        new AdminApi(server, "").create("", GivenKey.REALM.addTo(json()));
        admin.post("/authentication/register-required-action", Map.of("providerId", "configure-pin", "name", "PIN"));
        admin.update("/users/profile", profile -> profile.put("unmanagedAttributePolicy", "ADMIN_EDIT"));
        for (JsonNode flow : admin.get("/authentication/flows")) {
            if (flow.get("alias").asText().startsWith("pin")) {
                createClient(flow.get("alias").asText(), flow.get("id").asText());
            }
        }
    }

    public AdminApi admin() {
        return admin;
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    public Browser browser() {
        return new Browser(server);
    }

    /** @return the client that signs people in with this flow */
    public ServiceProvider client(String flow) {
        return new ServiceProvider(server, name, flow, SECRET, REDIRECT_URI);
    }

    /** @return the username of somebody without a PIN, born on 14 March 1988 */
    public String newPerson() {
        return newPerson(List.of());
    }

    private String newPerson(List<Map<String, String>> furtherCredentials) {
        String username = "person-" + UUID.randomUUID();
        admin.create(
                "/users",
                Map.of(
                        "username",
                        username,
                        "email",
                        username + "@example.org",
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "enabled",
                        true,
                        "attributes",
                        Map.of("birthdate", List.of("1988-03-14")),
                        "credentials",
                        Stream.concat(Stream.of(DemoPerson.PASSWORD), furtherCredentials.stream())
                                .toList()));
        return username;
    }

    /** @return the username of somebody whose PIN is {@link #PIN} */
    public String newPersonWithPin() {
        return withPin(newPerson());
    }

    /** @return the username of somebody who has {@link #PIN} and an authenticator application */
    public String newPersonWithPinAndOtp() {
        return withPin(newPerson(List.of(Totp.credential())));
    }

    /** @return the username of somebody who has an authenticator application and no PIN */
    public String newPersonWithOtp() {
        return newPerson(List.of(Totp.credential()));
    }

    private String withPin(String username) {
        Browser browser = browser();
        client(PIN_FLOW).redeem(choose(browser, givePassword(browser, PIN_FLOW, username), PIN, PIN));
        return username;
    }

    /** @return the page after the right password */
    public HttpResponse<String> givePassword(Browser browser, String flow, String username) {
        return browser.givePassword(request(browser, flow, ""), username);
    }

    /** @param more added to the query of the authorization request, starting with {@code &} */
    public HttpResponse<String> request(Browser browser, String flow, String more) {
        return browser.get(authorizationUrl(flow) + more);
    }

    /** Requests no level of authentication, because these flows have none. */
    public String authorizationUrl(String flow) {
        return client(flow)
                .authorizationUrl("/protocol/openid-connect/auth", "openid")
                .replace("&acr_values=eidas1", "");
    }

    public HttpResponse<String> give(Browser browser, HttpResponse<String> page, String pin) {
        return browser.submit(page, Map.of("pin", pin));
    }

    public HttpResponse<String> choose(Browser browser, HttpResponse<String> page, String pin, String again) {
        return browser.submit(page, Map.of("pin-new", pin, "pin-confirm", again));
    }

    /** Chooses a new PIN for somebody who already has one. */
    public HttpResponse<String> change(Browser browser, HttpResponse<String> page, String current, String pin) {
        return browser.submit(page, Map.of("pin-current", current, "pin-new", pin, "pin-confirm", pin));
    }

    /** @return the page after as many wrong PINs as are allowed */
    public HttpResponse<String> reachTheCap(Browser browser, String username) {
        HttpResponse<String> page = givePassword(browser, PIN_FLOW, username);
        for (int i = 0; i < MAX_FAILURES; i++) {
            page = give(browser, page, WRONG_PIN);
        }
        return page;
    }

    /** @return a browser with a session that began with the password and the PIN */
    public Browser signedIn(String username) {
        Browser browser = browser();
        client(PIN_FLOW).redeem(give(browser, givePassword(browser, PIN_FLOW, username), PIN));
        return browser;
    }

    /** Requests a token by direct grant, for a client that every realm has, with the right password. */
    public HttpResponse<String> directGrant(String username, Map<String, String> more) {
        Map<String, String> form = new HashMap<>(Map.of(
                "grant_type",
                "password",
                "client_id",
                "admin-cli",
                "scope",
                "openid",
                "username",
                username,
                "password",
                "demo-password"));
        form.putAll(more);
        return Http.send(Http.form(url() + "/protocol/openid-connect/token", form));
    }

    /** Calls the account REST API. */
    public HttpResponse<String> account(String method, String path, String accessToken) {
        return Http.send(Http.request(url() + "/account/credentials" + path)
                .header("Authorization", "Bearer " + accessToken)
                .header("Accept", "application/json")
                .method(method, BodyPublishers.noBody()));
    }

    public JsonNode bruteForce(String username) {
        return admin.get("/attack-detection/brute-force" + admin.user(username));
    }

    /**
     * Waits until Keycloak has counted this number of failures. It counts after it has answered, and counts two
     * simultaneous failures as one. So each failure must be awaited.
     */
    public void awaitFailures(String username, int expected) {
        long end = System.nanoTime() + 10_000_000_000L;
        int counted;
        do {
            counted = bruteForce(username).get("numFailures").asInt();
        } while (counted < expected && System.nanoTime() < end);
        if (counted != expected) {
            throw new AssertionError(counted + " failures counted instead of " + expected);
        }
    }

    /** @param failures the number of failures that lock a person */
    public void withBruteForceDetection(int failures, Runnable test) {
        admin.update("", settings -> settings.put("bruteForceProtected", true).put("failureFactor", failures));
        try {
            test.run();
        } finally {
            admin.update("", settings -> settings.put("bruteForceProtected", false));
        }
    }

    /** @return the person's PINs as an administrator sees them; usually there is at most one */
    public List<JsonNode> pins(String username) {
        return StreamSupport.stream(
                        admin.get(admin.user(username) + "/credentials").spliterator(), false)
                .filter(credential -> credential.get("type").asText().equals("pin"))
                .toList();
    }

    /** @return the errors of the person's events of this type */
    public List<String> errors(String type, String username) {
        String id = admin.user(username).substring("/users/".length());
        return admin.get("/events?max=100000&type=" + type + "&user=" + id).findValuesAsText("error");
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
                        List.of(REDIRECT_URI),
                        "authenticationFlowBindingOverrides",
                        Map.of("browser", flow)));
    }

    private Map<String, Object> json() {
        FlowText flows = FlowText.load("/pin-flows.txt");
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", name);
        realm.put("displayName", "Password and PIN");
        realm.put("enabled", true);
        // Its signatures cost the server less than those of RSA.
        realm.put("defaultSignatureAlgorithm", "ES256");
        realm.put("internationalizationEnabled", true);
        realm.put("supportedLocales", List.of("en", "fr"));
        realm.put("defaultLocale", "en");
        realm.put("eventsEnabled", true);
        realm.put("quickLoginCheckMilliSeconds", 0);
        realm.put("browserFlow", PIN_FLOW);
        realm.put("directGrantFlow", DIRECT_GRANT_FLOW);
        realm.put("resetCredentialsFlow", "reset-with-pin");
        realm.put("resetPasswordAllowed", true);
        realm.put("authenticationFlows", flows.flows());
        realm.put("authenticatorConfig", flows.configs());
        return realm;
    }
}
