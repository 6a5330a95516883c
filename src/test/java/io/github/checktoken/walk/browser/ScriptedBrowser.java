package io.github.checktoken.walk.browser;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

/** One tab of a browser, in which a test takes the steps of an attack one by one. */
public final class ScriptedBrowser {

    /** Each client's callback is below this address, where nothing listens. */
    private static final String CALLBACKS = "http://localhost:8999/";

    private static final Pattern PROVIDER = Pattern.compile("/broker/([^/?]+)/login");
    private static final Pattern SESSION_CODE = Pattern.compile("session_code=[^&]*");

    private final String realmUrl;
    private final Function<String, ServiceProvider> clients;
    private final WalkBrowser browser;
    private final Map<String, String> providerLinks = new HashMap<>();
    private String client;
    private String tabId;
    private String sessionCode;
    private String notFollowed;
    private String redirect;
    private Page page;
    private String answer;

    public ScriptedBrowser(WalkRealm realm) {
        this(realm.url(), realm::client);
    }

    /** @param clients the realm's service providers by client_id */
    public ScriptedBrowser(String realmUrl, Function<String, ServiceProvider> clients) {
        this.realmUrl = realmUrl;
        this.clients = clients;
        this.browser = new WalkBrowser(realmUrl);
    }

    public Page page() {
        return page;
    }

    /** Checks that the attack has reached this page. */
    public void sees(Page.Kind kind) {
        assertNotNull(page, "there is no page, but a redirect to " + redirect);
        assertEquals(kind, page.kind(), page::url);
    }

    /** Whether this page is shown. */
    public boolean shows(Page.Kind kind) {
        return page != null && page.kind() == kind;
    }

    /** Sends a new authorization request, which asks for amr. */
    public void request(String clientId, Map<String, String> more) {
        client = clientId;
        AuthorizationRequest request = clients.apply(clientId)
                .request()
                .without("acr_values")
                .without("state")
                .without("nonce")
                .askingForAmr();
        more.forEach(request::with);
        open(request.url());
    }

    public void open(String url) {
        arrive(url, browser.get(url));
    }

    public void deleteCookie(String name) {
        browser.deleteCookie(name);
    }

    public void copyCookie(String name, ScriptedBrowser other) {
        browser.copyCookie(name, other.browser);
    }

    /** An administrator signs in as this person, without the person's password. */
    public void impersonate(AdminApi admin, Person person) {
        browser.keep(admin.send("POST", admin.user(person.name()) + "/impersonation", Map.of()));
    }

    /** The tab of the first request, which stays the same when Keycloak shows a page of another one. */
    public String tab() {
        return tabId;
    }

    /** Opens a link of a mail, and the link of the page on which Keycloak asks whether to go on. */
    public void openMailLink(String link) {
        open(link);
        open(page().links().stream()
                .filter(it -> it.contains("/action-token"))
                .findFirst()
                .orElseThrow());
    }

    public void openLoginAction(String action) {
        openLoginAction(action, "");
    }

    /** @param form the form of a page, whose step is opened at this path */
    public void openLoginAction(String action, Form form) {
        openLoginAction(action, "&execution=" + Walk.parameter(form.action(), "execution"));
    }

    /** @param other a browser whose authentication session the address names, beside the one of this tab */
    public void openLoginAction(String action, ScriptedBrowser other) {
        openLoginAction(action, "&auth_session_id=" + other.browser.cookie("AUTH_SESSION_ID"));
    }

    private void openLoginAction(String action, String more) {
        open(realmUrl + "/login-actions/" + action + "?client_id=" + client + "&tab_id=" + tabId + more);
    }

    /** Makes the next step end at a redirect to this path. */
    public void doNotFollow(String path) {
        notFollowed = path;
    }

    public void submit(Map<String, String> fields) {
        submit(page.form(), fields);
    }

    /** Submits the form of an earlier page with the session code that is valid now. */
    public void submitLater(Form form, Map<String, String> fields) {
        submit(new Form(withValidCode(form.action()), form.fields(), form.buttons()), fields);
    }

    /** Submits the form of this page. The browser does not wait for the response, but goes on with the next steps. */
    public CompletableFuture<HttpResponse<String>> submitWithoutWaiting(Map<String, String> fields) {
        Form form = page.form();
        return CompletableFuture.supplyAsync(() -> send(form, fields));
    }

    /** Waits for the response to a request, and follows it. */
    public void await(CompletableFuture<HttpResponse<String>> response) {
        arrive(realmUrl, response.join());
    }

    /** @param way counted from 0, as the page lists them */
    public void tryAnotherWay(int way) {
        submit(page.otherWay(), Map.of());
        sees(Page.Kind.WAYS);
        submit(page.forms().get(way), Map.of());
    }

    /** Uses the link of this tab's login page, even if the tab now shows another page. */
    public void chooseProvider(String alias) {
        open(withValidCode(providerLinks.get(alias)));
    }

    /** Signs in at the provider's page. */
    public void signIn(Identity identity) {
        sees(Page.Kind.NAME_AND_PASSWORD);
        submit(Map.of("username", identity.name(), "password", identity.password()));
    }

    /** @return the redirect to the client with which a login ended; null if none did */
    public String answer() {
        return answer;
    }

    /** @return the claims of the ID token for the code with which the login ended */
    public JsonNode redeem() {
        assertNotNull(answer, () -> "there is no code; the browser shows " + (page == null ? redirect : page.kind()));
        return Tokens.claims(clients.apply(client).redeem(answer).idToken());
    }

    /** Submits the form of an earlier page as it is. */
    public void submit(Form form, Map<String, String> fields) {
        arrive(form.action(), send(form, fields));
    }

    private HttpResponse<String> send(Form form, Map<String, String> fields) {
        Map<String, String> all = new HashMap<>(form.fields());
        all.putAll(fields);
        return browser.post(form.action(), all);
    }

    private String withValidCode(String address) {
        return SESSION_CODE.matcher(address).replaceFirst("session_code=" + sessionCode);
    }

    private void arrive(String url, HttpResponse<String> first) {
        HttpResponse<String> response = first;
        String from = url;
        page = null;
        redirect = location(response);
        while (redirect != null) {
            learn(redirect);
            if (redirect.startsWith(CALLBACKS)) {
                answer = redirect;
                return;
            }
            if (notFollowed != null && redirect.contains(notFollowed)) {
                notFollowed = null;
                return;
            }
            from = redirect;
            response = browser.get(from);
            redirect = location(response);
        }
        page = new Page(from, response.statusCode(), response.body());
        page.forms().forEach(form -> learn(form.action()));
        page.links().forEach(this::learn);
        assertNull(notFollowed, () -> "there is no such redirect, but the page " + page.kind());
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse(null);
    }

    /** Remembers the links to providers and the session code, because Keycloak accepts only the newest session code. */
    private void learn(String address) {
        String tab = Walk.parameter(address, "tab_id");
        if (!address.startsWith(realmUrl + "/") || tab == null) {
            return;
        }
        if (tabId == null) {
            tabId = tab;
        }
        if (tab.equals(tabId)) {
            String found = Walk.parameter(address, "session_code");
            sessionCode = found == null ? sessionCode : found;
            Matcher provider = PROVIDER.matcher(address);
            if (provider.find()) {
                providerLinks.put(provider.group(1), address);
            }
        }
    }
}
