package io.github.checktoken.gate.honest;

import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;

/** One tab of a person's browser. It notes what it was answered, and opens the client again at a dead end. */
public final class HonestTab {

    private static final int MOST_STEPS = 25;
    private static final int MOST_REQUESTS = 4;
    private static final String TITLE = "#kc-page-title, #kc-error-message, #kc-info-message";

    private final HonestRealm realm;
    private final HonestBrowser browser;
    private Habit habit;
    private final HonestAnswers answers;
    private final List<String> seen = new ArrayList<>();
    private String client;
    private Map<String, String> parameters = Map.of();
    private int requests;
    private Page page;
    private String callback;
    private Tokens tokens;

    HonestTab(HonestRealm realm, HonestBrowser browser, HonestPerson person, Habit habit) {
        this(realm, browser, new HonestAnswers(realm, person), habit);
    }

    private HonestTab(HonestRealm realm, HonestBrowser browser, HonestAnswers answers, Habit habit) {
        this.realm = realm;
        this.browser = browser;
        this.answers = answers;
        this.habit = habit;
    }

    HonestRealm realm() {
        return realm;
    }

    HonestBrowser browser() {
        return browser;
    }

    HonestPerson person() {
        return answers.person();
    }

    /** @return what the tab was answered, step by step */
    public List<String> seen() {
        return seen;
    }

    /** Whether the tab was at a dead end, or was told that the page had expired. */
    public boolean needsASecondTry() {
        return seen.stream().anyMatch(each -> each.equals("again") || each.matches(".*(EXPIRED|ERROR|error).*"));
    }

    /** @return the address of the client with the answer; null while there is none */
    String callback() {
        return callback;
    }

    HonestTab request(String client) {
        return request(client, Map.of());
    }

    /** Sends an authorization request. */
    HonestTab request(String client, Map<String, String> parameters) {
        this.client = client;
        this.parameters = parameters;
        requests++;
        if (client.equals(HonestRealm.SAML_CLIENT)) {
            return open(SamlRequest.url(realm.url(), client));
        }
        AuthorizationRequest request = realm.client(client).request().without("acr_values");
        parameters.forEach(request::with);
        return open(request.url());
    }

    HonestTab open(String url) {
        show(url, List.of(browser.get(url)));
        return this;
    }

    /** Follows the first link of the page whose address has this part. */
    HonestTab click(String part) {
        String link = page.links().stream()
                .filter(each -> each.contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no link " + part + " after " + seen));
        show(link, habit == Habit.ONCE ? List.of(browser.get(link)) : twice(link));
        return this;
    }

    /** Answers one page. */
    HonestTab answer() {
        return answer(Map.of());
    }

    /** @param more fields that this person fills in differently */
    HonestTab answer(Map<String, String> more) {
        Form form = page.form();
        Map<String, String> fields = new HashMap<>(form.fields());
        fields.putAll(answers.to(page));
        fields.putAll(more);
        String from = page.url();
        show(
                form.action(),
                switch (habit) {
                    case ONCE -> List.of(browser.post(form.action(), fields));
                    case PRESSES_TWICE ->
                        HonestBrowser.atOnce(
                                () -> browser.post(form.action(), fields), () -> browser.post(form.action(), fields));
                    case RELOADS ->
                        HonestBrowser.atOnce(() -> browser.post(form.action(), fields), () -> browser.get(from));
                });
        return this;
    }

    /** Answers pages until there is one of this kind. */
    HonestTab until(Page.Kind kind) {
        while (callback == null && page.kind() != kind && (answers.knows(page) || page.kind() == Page.Kind.EXPIRED)) {
            next();
        }
        return this;
    }

    /** Does what the pages ask for until the client has its answer. */
    HonestTab finish() {
        for (int step = 0; step < MOST_STEPS; step++) {
            if (callback != null && !callback.contains("error=")) {
                return this;
            }
            next();
        }
        throw new AssertionError("no end: " + seen);
    }

    private void next() {
        String provider = parameters.get("kc_idp_hint");
        if (callback == null && provider != null && hasLink("/broker/" + provider + "/login")) {
            click("/broker/" + provider + "/login");
        } else if (callback == null && answers.knows(page)) {
            answer();
        } else if (callback == null && page.kind() == Page.Kind.EXPIRED) {
            click(page.links().stream()
                    .filter(link -> !link.contains("/restart"))
                    .findFirst()
                    .orElse("/restart"));
        } else if (callback == null && page.kind() != Page.Kind.ERROR && answers.newMail() != null) {
            String link = answers.openMail();
            show(link, habit == Habit.ONCE ? List.of(browser.get(link)) : twice(link));
        } else if (callback == null && page.kind() != Page.Kind.ERROR && hasLink("/login-actions/")) {
            click("/login-actions/");
        } else if (requests < MOST_REQUESTS) {
            seen.add("again");
            // Who was at a dead end takes more care.
            habit = Habit.ONCE;
            request(client, parameters);
        } else {
            throw new AssertionError("a dead end: " + seen);
        }
    }

    /** Opens the newest mail in this tab; who presses the link twice or loads the page again has it in a further tab too. */
    void openMail() {
        String link = answers.openMail();
        if (habit == Habit.ONCE) {
            open(link);
        } else {
            HonestTab further = new HonestTab(realm, browser, answers, Habit.ONCE);
            HonestBrowser.atOnce(() -> further.open(link), () -> open(link));
            seen.addAll(further.seen.stream().map(each -> "further " + each).toList());
        }
    }

    /** Starts the login again, as the button beside the person's name does. */
    void restart() {
        open(page.form().action().replace("/authenticate?", "/restart?").replaceFirst("session_code=[^&]+&", ""));
    }

    /** Opens the newest mail in another browser, where nobody is signed in, and does what the pages there ask for. */
    void openMailInAnotherBrowser() {
        HonestTab other = new HonestTab(realm, new HonestBrowser(), answers, habit);
        other.openMail();
        while (other.callback == null && (other.answers.knows(other.page) || other.hasLink("/login-actions/"))) {
            if (other.answers.knows(other.page)) {
                other.answer();
            } else {
                other.click("/login-actions/");
            }
        }
        seen.addAll(other.seen.stream().map(each -> "elsewhere " + each).toList());
    }

    /** Requests tokens without a browser. */
    void passwordGrant() {
        client = "app";
        Supplier<Tokens> grant = () -> realm.client(client)
                .token(Map.of(
                        "grant_type",
                        "password",
                        "scope",
                        "openid",
                        "username",
                        person().name(),
                        "password",
                        person().password()));
        List<Tokens> all = habit == Habit.ONCE ? List.of(grant.get()) : HonestBrowser.atOnce(grant, grant);
        tokens = all.get(all.size() - 1);
    }

    /** Approves a device of the client in this tab. The device then asks for its tokens. */
    void approveADevice() {
        client = "app";
        ServiceProvider device = realm.client(client);
        JsonNode begun = Http.json(device.post("/protocol/openid-connect/auth/device", Map.of("scope", "openid")));
        open(begun.get("verification_uri_complete").asText());
        while (answers.knows(page)) {
            answer();
        }
        tokens = device.token(Map.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:device_code",
                "device_code",
                begun.get("device_code").asText()));
    }

    void logOut() {
        open(realm.url() + "/protocol/openid-connect/logout?client_id=" + client)
                .answer();
    }

    private boolean hasLink(String part) {
        return page.links().stream().anyMatch(link -> link.contains(part));
    }

    /** @return the tokens for the code, or those that the client already has; null if it has none */
    Tokens tokens() {
        if (tokens == null && callback != null && callback.contains("code=")) {
            tokens = realm.client(client).redeem(callback);
        } else if (tokens == null && callback != null && callback.contains("token=")) {
            tokens = new Tokens(parameter("access_token"), null, parameter("id_token"));
        }
        return tokens;
    }

    /** @return a parameter of the answer to the client; null if there is none */
    String parameter(String name) {
        Matcher value = Pattern.compile("[?&#]" + name + "=([^&]+)").matcher(callback);
        return value.find() ? URLDecoder.decode(value.group(1), StandardCharsets.UTF_8) : null;
    }

    String client() {
        return client;
    }

    private List<HttpResponse<String>> twice(String url) {
        return HonestBrowser.atOnce(() -> browser.get(url), () -> browser.get(url));
    }

    /** Shows the last answer: a browser that sends a request again does not wait for the one before. */
    private void show(String url, List<HttpResponse<String>> responses) {
        HttpResponse<String> last = responses.get(responses.size() - 1);
        String location = last.headers().firstValue("Location").orElse(null);
        seen.add(responses.stream().map(HonestTab::describe).collect(Collectors.joining(" | ")));
        callback = null;
        if (location == null) {
            page = new Page(url, last.statusCode(), last.body());
        } else if (location.startsWith(HonestRealm.CALLBACK)) {
            callback = location;
        } else {
            boolean again = habit == Habit.RELOADS && location.matches(".*/(login-actions/|broker/[^/]*/endpoint).*");
            show(location, again ? twice(location) : List.of(browser.get(location)));
        }
    }

    private static String describe(HttpResponse<String> response) {
        String location = response.headers().firstValue("Location").orElse(null);
        if (location == null) {
            Page.Kind kind = new Page(response.uri().toString(), response.statusCode(), response.body()).kind();
            boolean says = kind == Page.Kind.INFORMATION || kind == Page.Kind.ERROR;
            return response.statusCode() + " " + kind
                    + (says ? " (" + HtmlPage.of(response).text(TITLE).replaceAll("(?<=.{60}).*", "") + ")" : "");
        }
        return location.startsWith(HonestRealm.CALLBACK)
                ? location.replaceAll("^[^?#]*[?#]", "")
                        .replaceAll("=[^&]*", "")
                        .replaceAll("&(state|session_state|iss|nonce)\\b", "")
                : response.statusCode() + " to "
                        + location.replaceAll("\\?.*", "").replaceAll(".*/", "");
    }
}
