package io.github.checktoken.walk;

import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.Request;
import io.github.checktoken.walk.browser.Tab;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Oracle;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.oracle.PermittedClaims;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.oracle.Proof;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;

/** One walk: what the browser shows, which secrets the people have, and which codes and tokens were issued so far. */
public final class Walk {

    /** In percent of the redirects. */
    private static final int FOLLOWED_AT_ONCE = 85;

    /** In percent of the codes. */
    private static final int REDEEMED_AT_ONCE = 88;

    /** For a login that ended with a page of Keycloak and not at a client. */
    private static final Request NO_REQUEST = new Request("", "", false);

    private static final Pattern PROVIDER_LINK = Pattern.compile("/broker/([^/]+)/login");
    private static final Pattern SESSION_CODE = Pattern.compile("session_code=([^&]+)");

    private final WalkRealm realm;
    private final MailServer mailServer;
    private final People people;
    private final WalkBrowser browser;
    private final Oracle oracle;

    private final List<Tab> tabs = new ArrayList<>();
    private final Map<String, Request> requests = new HashMap<>();
    private final Map<String, String> clientsByTab = new LinkedHashMap<>();
    private final Map<String, Login> loginsByTab = new LinkedHashMap<>();
    private final Map<String, String> sessionCodes = new HashMap<>();
    private final Map<String, Login> brokerStates = new LinkedHashMap<>();
    private final Set<String> linkingStates = new HashSet<>();
    private final Map<String, Identity> identitiesByEndpoint = new HashMap<>();
    private final Map<String, String> providerLinks = new LinkedHashMap<>();
    private final List<String> unfollowed = new ArrayList<>();
    private final Set<String> answered = new HashSet<>();
    private final List<Code> codes = new ArrayList<>();
    private final List<Held> tokens = new ArrayList<>();
    private final Map<String, String> passwords = new HashMap<>();
    private final Map<String, String> pins = new HashMap<>();

    private final List<String> lines = new ArrayList<>();
    private final List<String> sayingLess = new ArrayList<>();
    private Tab tab = new Tab(0);
    private Random random;
    private HttpResponse<String> lastResponse;
    private Page lastPage;
    private OracleViolation wrong;
    private int issued;
    private int names;

    /** A code that has not been redeemed yet. */
    private record Code(String value, IssuedCode issue) {}

    private record Held(Tokens tokens, IssuedCode issue) {}

    Walk(WalkRealm realm, MailServer mailServer, People people) {
        this.realm = realm;
        this.mailServer = mailServer;
        this.people = people;
        this.browser = new WalkBrowser(realm.url());
        this.oracle = new Oracle(this::isLinked, this::mayBeNew);
        tabs.add(tab);
        for (Person person : people.persons()) {
            passwords.put(person.name(), person.password());
            if (person.pin() != null) {
                pins.put(person.name(), person.pin());
            }
        }
    }

    void take(Step step) {
        random = new Random(step.seed());
        if (step.door().weight(this) > 0) {
            step.door().pass(this);
        }
    }

    void end() {
        people.persons().forEach(person -> mailServer.forget(person.address()));
    }

    OracleViolation wrong() {
        return wrong;
    }

    /** @return what was done, one line for each act */
    List<String> lines() {
        return lines;
    }

    /** @return for each answer that reported less than was proved: what was missing, and the last steps of the login */
    List<String> sayingLess() {
        return sayingLess;
    }

    int issued() {
        return issued;
    }

    WalkRealm realm() {
        return realm;
    }

    MailServer mailServer() {
        return mailServer;
    }

    People people() {
        return people;
    }

    Oracle oracle() {
        return oracle;
    }

    Tab tab() {
        return tab;
    }

    List<Tab> tabs() {
        return tabs;
    }

    Page page() {
        return tab.page();
    }

    List<String> unfollowed() {
        return unfollowed;
    }

    Map<String, String> passwords() {
        return passwords;
    }

    Map<String, String> pins() {
        return pins;
    }

    boolean hasCodes() {
        return !codes.isEmpty();
    }

    boolean hasTokens() {
        return !tokens.isEmpty();
    }

    /** @return the links to a provider on all pages so far, by the tab's id in Keycloak and the alias */
    Map<String, String> providerLinks() {
        return providerLinks;
    }

    /** @return the newest session code that a page or a redirect has shown; null if none has */
    String sessionCode(String tabId) {
        return sessionCodes.get(tabId);
    }

    /**
     * @return Keycloak's ids of the tabs, in the order in which they first appeared, because the ids differ each time
     */
    List<String> loginTabs() {
        return new ArrayList<>(clientsByTab.keySet());
    }

    String clientOf(String tabId) {
        return clientsByTab.get(tabId);
    }

    /** @return the newest tab id of the login; null if no page has shown one */
    String tabIdOf(Login login) {
        return loginsByTab.entrySet().stream()
                .filter(entry -> entry.getValue() == login)
                .map(Map.Entry::getKey)
                .reduce((first, second) -> second)
                .orElse(null);
    }

    Map<String, Login> brokerStates() {
        return brokerStates;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** @return a name that nobody else has, in this walk or in another */
    String newName() {
        return "x" + names++ + people.persons().get(0).name();
    }

    String newDigits() {
        return String.valueOf(900_001 + 37 * names++);
    }

    void say(String line) {
        lines.add("[tab " + tab.number() + "] " + line);
    }

    void openTab() {
        tab = new Tab(tabs.size());
        tabs.add(tab);
    }

    void switchTo(Tab other) {
        tab = other;
    }

    /** Sends a new authorization request of a client in this tab. */
    void request(String client, Map<String, String> more, boolean forced) {
        String state = "login-" + requests.size();
        Request request = new Request(state, client, forced);
        requests.put(state, request);
        tab.login(new Login());
        AuthorizationRequest sent = realm.client(client)
                .request()
                .without("acr_values")
                .with("state", state)
                .with("nonce", request.nonce())
                .askingForAmr();
        more.forEach(sent::with);
        open(sent.url());
    }

    void open(String url) {
        open(url, response -> {});
    }

    /** @param first gets the response before a redirect is followed */
    void open(String url, Consumer<HttpResponse<String>> first) {
        HttpResponse<String> response = get(url);
        first.accept(response);
        arrive(url, response);
    }

    void submit(Form form, Map<String, String> fields) {
        submit(form, fields, response -> {});
    }

    /** @param first gets the response before a redirect is followed */
    void submit(Form form, Map<String, String> fields, Consumer<HttpResponse<String>> first) {
        HttpResponse<String> response = browser.post(form.action(), fields);
        first.accept(response);
        arrive(form.action(), response);
    }

    /** @return the login that a request to this address belongs to */
    Login loginOf(String url) {
        if (url.contains("/broker/") && url.contains("/endpoint")) {
            return brokerStates.getOrDefault(parameter(url, "state"), new Login());
        }
        String tabId = parameter(url, "tab_id");
        return tabId == null ? tab.login() : loginsByTab.computeIfAbsent(tabId, key -> new Login());
    }

    /** @return the login that the page or the redirect belongs to, which may differ from that of the request */
    Login loginAfter(String url, HttpResponse<String> response) {
        return addresses(url, response).stream()
                .filter(address -> parameter(address, "tab_id") != null)
                .map(this::loginOf)
                .findFirst()
                .orElseGet(() -> loginOf(url));
    }

    void signInAtProvider(Form form, Map<String, String> fields, Identity identity) {
        submit(
                form,
                fields,
                response -> response.headers()
                        .firstValue("Location")
                        .filter(Walk::isEndpoint)
                        .ifPresent(location -> identitiesByEndpoint.put(location, identity)));
    }

    private HttpResponse<String> get(String url) {
        Identity identity = identitiesByEndpoint.get(url);
        String person = identity == null ? null : linkedPerson(identity);
        HttpResponse<String> response = browser.get(url);
        if (identity != null && !linkingStates.contains(parameter(url, "state")) && goesOn(url, response)) {
            Login login = loginOf(url);
            login.given(new Proof(person, identity, identity.methods(), person != null));
            login.passed(identity.provider() + (person == null ? " (first login)" : ""));
        }
        return response;
    }

    private boolean goesOn(String url, HttpResponse<String> response) {
        if (response.statusCode() == 302) {
            return true;
        }
        Page.Kind kind = read(url, response).kind();
        return kind != Page.Kind.ERROR && kind != Page.Kind.EXPIRED && kind != Page.Kind.INFORMATION;
    }

    /** A session begins and ends with its cookie, even if no client gets a code. */
    private void noteSession(String url, HttpResponse<String> response, String location) {
        if (!isOfTheRealm(url)) {
            return;
        }
        for (String cookie : response.headers().allValues("Set-Cookie")) {
            if (cookie.startsWith("KEYCLOAK_IDENTITY=")) {
                if (cookie.contains("Max-Age=0")) {
                    oracle.loggedOut();
                } else if (location == null || !location.startsWith(WalkRealm.CALLBACK)) {
                    oracle.issued(NO_REQUEST, loginOf(url));
                }
            }
        }
    }

    /** @return the page of a response, which is parsed only once */
    Page read(String url, HttpResponse<String> response) {
        if (response != lastResponse) {
            lastResponse = response;
            lastPage = new Page(url, response.statusCode(), response.body());
        }
        return lastPage;
    }

    private void arrive(String url, HttpResponse<String> first) {
        HttpResponse<String> response = first;
        String from = url;
        while (true) {
            learn(from, response);
            String location = response.headers().firstValue("Location").orElse(null);
            noteSession(from, response, location);
            if (location == null) {
                tab.show(read(from, response));
                say("    sees " + page().kind() + (page().attempted() == null ? "" : " of " + page().attempted()));
                return;
            }
            if (location.startsWith(WalkRealm.CALLBACK)) {
                tab.leave();
                land(from, location);
                return;
            }
            if (!chance(location.contains("/after-post-broker-login") ? FOLLOWED_AT_ONCE / 2 : FOLLOWED_AT_ONCE)) {
                tab.stop();
                unfollowed.add(location);
                say("    does not follow the redirect to " + path(location));
                return;
            }
            say("    > " + path(location));
            from = location;
            response = get(location);
        }
    }

    /** Remembers what a response shows: the login of each tab id, session codes, links to providers. */
    private void learn(String url, HttpResponse<String> response) {
        if (!isOfTheRealm(url)) {
            return;
        }
        String location = response.headers().firstValue("Location").orElse("");
        if (location.contains("/protocol/openid-connect/auth?") && !location.startsWith(realm.url() + "/")) {
            String state = parameter(location, "state");
            brokerStates.put(state, loginOf(url));
            if (url.contains("/login-actions/required-action")) {
                linkingStates.add(state);
            }
            return;
        }
        for (String address : addresses(url, response)) {
            String tabId = parameter(address, "tab_id");
            if (tabId != null) {
                if (url.contains("/protocol/openid-connect/auth?")) {
                    loginsByTab.putIfAbsent(tabId, tab.login());
                }
                learn(tabId, address);
            }
        }
    }

    private void learn(String tabId, String address) {
        tab.login(loginOf(address));
        clientsByTab.putIfAbsent(tabId, parameter(address, "client_id"));
        Matcher code = SESSION_CODE.matcher(address);
        if (code.find()) {
            sessionCodes.put(tabId, code.group(1));
        }
        Matcher provider = PROVIDER_LINK.matcher(address);
        if (provider.find()) {
            providerLinks.put(tabId + " " + provider.group(1), address);
        }
    }

    private List<String> addresses(String url, HttpResponse<String> response) {
        List<String> addresses = new ArrayList<>();
        response.headers().firstValue("Location").ifPresent(addresses::add);
        if (addresses.isEmpty()) {
            Page page = read(url, response);
            page.forms().forEach(form -> addresses.add(form.action()));
            addresses.addAll(page.links());
        }
        return addresses.stream().filter(this::isOfTheRealm).toList();
    }

    private boolean isOfTheRealm(String url) {
        return url.startsWith(realm.url() + "/");
    }

    private void land(String from, String location) {
        Request request = requests.get(parameter(location, "state"));
        String code = parameter(location, "code");
        if (request == null || code == null) {
            say("    is back at the client: " + parameter(location, "error"));
            return;
        }
        issued++;
        boolean first = answered.add(request.state());
        codes.add(new Code(code, oracle.issued(first ? request : request.orALaterOne(), loginOf(from))));
        say("    is back at " + request.client() + " with a code");
        if (chance(REDEEMED_AT_ONCE)) {
            redeem(codes.size() - 1);
        }
    }

    void redeemOne() {
        redeem(number(codes.size()));
    }

    private void redeem(int index) {
        Code code = codes.remove(index);
        token(
                code.issue(),
                Map.of("grant_type", "authorization_code", "code", code.value(), "redirect_uri", WalkRealm.CALLBACK));
    }

    void refreshOne() {
        Held held = pick(tokens);
        token(
                held.issue(),
                Map.of(
                        "grant_type",
                        "refresh_token",
                        "refresh_token",
                        held.tokens().refreshToken()));
    }

    void logOut() {
        Held held = pick(tokens);
        Map<String, String> query = new LinkedHashMap<>();
        if (chance(70)) {
            query.put("id_token_hint", held.tokens().idToken());
            query.put("post_logout_redirect_uri", WalkRealm.CALLBACK);
            query.put("state", "logout");
        }
        say("logs out");
        open(realm.url() + "/protocol/openid-connect/logout?" + Http.encode(query));
    }

    private void token(IssuedCode issue, Map<String, String> parameters) {
        HttpResponse<String> response =
                realm.client(issue.request().client()).post("/protocol/openid-connect/token", parameters);
        String what = parameters.get("grant_type").equals("refresh_token") ? "a refresh token" : "a code";
        if (response.statusCode() != 200) {
            say("    redeems " + what + ": " + response.statusCode());
            return;
        }
        Tokens answer = Tokens.of(Http.json(response));
        if (answer.idToken() == null) {
            return;
        }
        JsonNode claims = Tokens.claims(answer.idToken());
        if (claims.has("nonce") && !isOf(issue, claims.path("nonce").asText())) {
            say("    redeems " + what + ", and refuses the ID token: it answers another request");
            return;
        }
        tokens.add(new Held(answer, issue));
        judge(issue, what, claims);
    }

    /** Checks the nonce, as each client must (OpenID Connect Core section 3.1.3.7), and notes whose nonce it is. */
    private boolean isOf(IssuedCode issue, String nonce) {
        Request seeming = issue.request();
        requests.values().stream()
                .filter(request -> request.nonce().equals(nonce))
                .forEach(issue::answers);
        return seeming.nonce().equals(nonce);
    }

    private void judge(IssuedCode issue, String what, JsonNode claims) {
        String person = claims.path("preferred_username").asText();
        Set<String> told = new TreeSet<>();
        claims.path("amr").forEach(value -> told.add(value.asText()));
        String level = claims.path("acr").asText();
        PermittedClaims allowance = oracle.allowance(issue, person);
        Set<String> allowed = allowance.values();
        say("    redeems " + what + " of " + issue.request().client() + ": " + person + ", amr " + told + ", acr "
                + level + "; the oracle allows " + (allowance.signedIn() ? allowed : "no login"));
        Set<String> above = new TreeSet<>(told);
        above.removeAll(allowed);
        if (!allowance.signedIn()) {
            fail(OracleViolation.Kind.SIGNED_IN_WITHOUT_PROOF, "told " + told + ", proved nothing");
        } else if (!above.isEmpty()) {
            fail(OracleViolation.Kind.METHOD_NOT_PROVED, "told " + told + ", proved " + allowed);
        } else if (level.equals("eidas2")
                && issue.request().client().equals(WalkRealm.STEP_UP)
                && !reachesSecondLevel(allowance.everInSession())
                && !reachesSecondLevel(oracle.inSession(person))) {
            fail(OracleViolation.Kind.LEVEL_NOT_REACHED, level + ", proved " + allowed);
        }
        Set<String> missing = new TreeSet<>(allowed);
        missing.removeAll(told);
        if (!missing.isEmpty()) {
            sayingLess.add(what + " lacks " + missing + " after " + issue.lastSteps());
        }
    }

    private static boolean reachesSecondLevel(Set<String> methods) {
        return methods.contains("otp") || methods.contains("pin");
    }

    private void fail(OracleViolation.Kind kind, String description) {
        if (wrong == null) {
            wrong = new OracleViolation(kind, description);
        }
    }

    /** @return the person whom the identity is linked to at this moment; null if there is none */
    private String linkedPerson(Identity identity) {
        JsonNode users = realm.admin()
                .get("/users?idpAlias=" + identity.provider() + "&idpUserId=" + Http.encode(identity.subject()));
        return users.isEmpty() ? null : users.get(0).path("username").asText();
    }

    private boolean isLinked(Identity identity, String person) {
        return person.equals(linkedPerson(identity));
    }

    private boolean mayBeNew(Identity identity, String person) {
        return identity.provider().equals(WalkRealm.AUTO) || people.named(person) == null;
    }

    static boolean isEndpoint(String url) {
        return url.contains("/broker/") && url.contains("/endpoint?");
    }

    public static String parameter(String url, String name) {
        Matcher parameter = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
        return parameter.find() ? URLDecoder.decode(parameter.group(1), StandardCharsets.UTF_8) : null;
    }

    static String path(String url) {
        return url.replaceAll("^https?://[^/]+/realms/[^/]+", "").replaceAll("\\?.*", "");
    }
}
