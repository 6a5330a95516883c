package io.github.checktoken.walk.browser;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.realm.WalkRealm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

/** One tab of a browser, in which a test takes the steps of an attack one by one. */
public final class ScriptedBrowser {

    private final WalkRealm realm;
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
        this.realm = realm;
        this.browser = new WalkBrowser(realm.url());
    }

    public Page page() {
        return page;
    }

    /** Checks that the attack has reached this page. */
    public void sees(Page.Kind kind) {
        assertNotNull(page, "there is no page, but a redirect to " + redirect);
        assertEquals(kind, page.kind(), page::url);
    }

    /** Sends a new authorization request, which asks for amr. */
    public void request(String clientId, Map<String, String> more) {
        client = clientId;
        AuthorizationRequest request = realm.client(clientId)
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

    public void openLoginAction(String action) {
        open(realm.url() + "/login-actions/" + action + "?client_id=" + client + "&tab_id=" + tabId);
    }

    /** Makes the next step end at a redirect to this path. */
    public void doNotFollow(String path) {
        notFollowed = path;
    }

    public void submit(Map<String, String> fields) {
        submit(page.form(), fields);
    }

    /** @param way counted from 0, as the page lists them */
    public void tryAnotherWay(int way) {
        submit(page.otherWay(), Map.of());
        sees(Page.Kind.WAYS);
        submit(page.forms().get(way), Map.of());
    }

    /** Uses the link of this tab's login page, even if the tab now shows another page. */
    public void chooseProvider(String alias) {
        open(providerLinks.get(alias).replaceAll("session_code=[^&]*", "session_code=" + sessionCode));
    }

    /** Signs in at the provider's page. */
    public void signIn(Identity identity) {
        sees(Page.Kind.NAME_AND_PASSWORD);
        submit(Map.of("username", identity.name(), "password", identity.password()));
    }

    /** @return the claims of the ID token for the code with which the login ended */
    public JsonNode redeem() {
        assertNotNull(answer, () -> "there is no code; the browser shows " + (page == null ? redirect : page.kind()));
        return Tokens.claims(realm.client(client).redeem(answer).idToken());
    }

    private void submit(Form form, Map<String, String> fields) {
        Map<String, String> all = new HashMap<>(form.fields());
        all.putAll(fields);
        arrive(form.action(), browser.post(form.action(), all));
    }

    private void arrive(String url, HttpResponse<String> first) {
        HttpResponse<String> response = first;
        String from = url;
        page = null;
        redirect = location(response);
        while (redirect != null) {
            learn(redirect);
            if (redirect.startsWith(WalkRealm.CALLBACK)) {
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
        if (!address.startsWith(realm.url() + "/") || tab == null) {
            return;
        }
        if (tabId == null) {
            tabId = tab;
        }
        if (tab.equals(tabId)) {
            String found = Walk.parameter(address, "session_code");
            sessionCode = found == null ? sessionCode : found;
            List.of(WalkRealm.UP, WalkRealm.AUTO).forEach(provider -> {
                if (address.contains("/broker/" + provider + "/login")) {
                    providerLinks.put(provider, address);
                }
            });
        }
    }
}
