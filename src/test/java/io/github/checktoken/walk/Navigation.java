package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.checktoken.support.loginstate.LoginState;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.Tab;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Proof;
import io.github.checktoken.walk.realm.WalkRealm;

/** The browser of a walk with its tabs: opens addresses, submits forms, and follows redirects or stops at them. */
final class Navigation {

    /** In percent of the redirects. */
    private static final int FOLLOWED_AT_ONCE = 85;

    /** In percent of the redirects between two flows, or between a flow and the callback of a provider. */
    private static final int FOLLOWED_BETWEEN_FLOWS = 50;

    /** In percent of the requests with companions: the cookies of the answer are kept after those of the companions. */
    private static final int COOKIES_LAST = 60;

    private static final List<String> BETWEEN_FLOWS = List.of(
            "/after-post-broker-login",
            "/after-first-broker-login",
            "/login-actions/post-broker-login",
            "/login-actions/first-broker-login");

    /** The flows that can go on in a tab while the login page is shown there. */
    private static final List<String> OTHER_FLOWS =
            List.of("post-broker-login", "first-broker-login", "reset-credentials");

    private static final int BEFORE_THE_NEXT_REQUEST_MILLIS = 40;

    private final Walk walk;
    private final WalkBrowser browser;
    private final SeenAddresses seen = new SeenAddresses();
    private final List<Tab> tabs = new ArrayList<>();
    private final List<String> unfollowed = new ArrayList<>();
    private final Map<String, Identity> identitiesByEndpoint = new HashMap<>();
    private final Set<String> tried = new HashSet<>();
    private Tab tab = new Tab(0);
    private HttpResponse<String> lastResponse;
    private Page lastPage;
    private Companion companion;
    private Pending pending;
    private int stepsUntilAnswer;
    private int stepsLeft;
    private boolean late;
    private String lastStop = "";

    /** A request that the server has not answered yet, as far as this walk looks. */
    private record Pending(
            Tab tab,
            Page page,
            IssuedCode session,
            String url,
            CompletableFuture<HttpResponse<String>> response,
            Consumer<HttpResponse<String>> first) {}

    Navigation(Walk walk) {
        this.walk = walk;
        this.browser = new WalkBrowser(walk.realm().url());
        tabs.add(tab);
    }

    WalkBrowser browser() {
        return browser;
    }

    SeenAddresses seen() {
        return seen;
    }

    Tab tab() {
        return tab;
    }

    List<Tab> tabs() {
        return tabs;
    }

    List<String> unfollowed() {
        return unfollowed;
    }

    /** @return the redirect that was not followed last */
    String lastStop() {
        return lastStop;
    }

    /** @return what Keycloak keeps of the login of this tab; null if it keeps nothing */
    LoginState state() {
        String tabId = seen.tabIdOf(tab.login());
        return tabId == null
                ? null
                : LoginState.parse(browser.get(LoginState.address(walk.realm().url(), seen.clientOf(tabId), tabId)));
    }

    /** @return the last flow of this tab that can go on while the login page is shown; empty if there is none */
    String otherFlow() {
        String stop = tab.page() == null ? Walk.path(lastStop) : "";
        return OTHER_FLOWS.stream()
                .filter(stop::endsWith)
                .findFirst()
                .orElseGet(() -> seen.visits(seen.tabIdOf(tab.login())).stream()
                        .filter(OTHER_FLOWS::contains)
                        .reduce("", (first, second) -> second));
    }

    void openTab() {
        tab = new Tab(tabs.size());
        tabs.add(tab);
    }

    void switchTo(Tab other) {
        tab = other;
    }

    /** @return whether this is the first time in the walk */
    boolean isNew(String attempt) {
        return !tried.contains(attempt);
    }

    void tried(String attempt) {
        tried.add(attempt);
    }

    /** @param first gets the response before a redirect is followed */
    void open(String url, Consumer<HttpResponse<String>> first) {
        besideCompanion(() -> get(url), response -> {
            first.accept(response);
            arrive(url, response);
        });
    }

    /** @param next what others do while the next request is answered; null for nothing */
    void accompany(Companion next) {
        companion = next;
    }

    private void besideCompanion(Supplier<HttpResponse<String>> send, Consumer<HttpResponse<String>> then) {
        Companion beside = companion;
        companion = null;
        if (beside == null) {
            then.accept(send.get());
            return;
        }
        IssuedCode session = walk.oracle().session();
        beside.begin();
        HttpResponse<String> response = send.get();
        beside.await();
        if (walk.chance(COOKIES_LAST)) {
            browser.keep(response);
        }
        // A sign-out may have come before or after it.
        walk.oracle().answeredLate(session);
        then.accept(response);
        beside.judge(session);
        walk.oracle().unanswered(null);
    }

    /** @param first gets the response before a redirect is followed */
    void submit(Form form, Map<String, String> fields, Consumer<HttpResponse<String>> first) {
        if (stepsUntilAnswer > 0) {
            stepsLeft = stepsUntilAnswer;
            stepsUntilAnswer = 0;
            pending = new Pending(
                    tab,
                    tab.page(),
                    walk.oracle().session(),
                    form.action(),
                    browser.postLater(form.action(), fields),
                    first);
            walk.oracle().unanswered(loginOf(form.action()));
            pause();
            walk.say("    does not wait for the answer");
            return;
        }
        walk.codes().beforeForm();
        besideCompanion(() -> browser.post(form.action(), fields), response -> {
            walk.codes().afterForm(form, response);
            first.accept(response);
            arrive(form.action(), response);
        });
    }

    /** Until the server is in the middle of the request. */
    private static void pause() {
        try {
            Thread.sleep(BEFORE_THE_NEXT_REQUEST_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The next form is submitted without waiting for the answer, which arrives after some further steps. */
    void doNotWait(int steps) {
        stepsUntilAnswer = steps;
    }

    /** Whether the next form is submitted without waiting. */
    boolean willNotWait() {
        return stepsUntilAnswer > 0;
    }

    boolean isWaiting() {
        return pending != null;
    }

    /** @return the page that the tab showed when it sent the request that was not waited for */
    Page pageOfPending() {
        return pending == null ? null : pending.page();
    }

    /** Looks at the answer to the request that was not waited for, if it is time for it. */
    void awaitIfDue() {
        stepsUntilAnswer = 0;
        if (pending != null && stepsLeft-- == 0) {
            await();
        }
    }

    void await() {
        if (pending == null) {
            return;
        }
        Pending answered = pending;
        pending = null;
        tab = answered.tab();
        walk.say("gets the answer of before");
        HttpResponse<String> response = browser.keep(answered.response().join());
        walk.oracle().answeredLate(answered.session());
        late = true;
        answered.first().accept(response);
        late = false;
        arrive(answered.url(), response);
        walk.oracle().unanswered(null);
    }

    /** Whether the response is one that was not waited for. */
    boolean isLate() {
        return late;
    }

    Login newLogin() {
        return new Login(walk.oracle().session());
    }

    /** @return the login that a request to this address belongs to */
    Login loginOf(String url) {
        if (url.contains("/broker/") && url.contains("/endpoint")) {
            return seen.brokerStates().getOrDefault(Walk.parameter(url, "state"), newLogin());
        }
        String tabId = Walk.parameter(url, "tab_id");
        if (tabId != null) {
            return seen.login(tabId, this::newLogin);
        }
        if (tab.login() == null) {
            tab.login(newLogin());
        }
        return tab.login();
    }

    /** @return the login that the page or the redirect belongs to, which may differ from that of the request */
    Login loginAfter(String url, HttpResponse<String> response) {
        return addresses(url, response).stream()
                .filter(address -> Walk.parameter(address, "tab_id") != null)
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

    /** @return the page of a response, which is parsed only once */
    Page read(String url, HttpResponse<String> response) {
        if (response != lastResponse) {
            lastResponse = response;
            lastPage = new Page(url, response.statusCode(), response.body());
        }
        return lastPage;
    }

    private HttpResponse<String> get(String url) {
        Identity identity = identitiesByEndpoint.get(url);
        String person = identity == null ? null : walk.links().personBefore(identity);
        HttpResponse<String> response = browser.get(url);
        if (identity != null && !seen.isLinking(Walk.parameter(url, "state")) && goesOn(url, response)) {
            Login login = loginOf(url);
            Proof proof = new Proof(person, identity, identity.methods(), person != null);
            if (seen.isNewestBrokerState(Walk.parameter(url, "state")) && !isWhereItWasBefore(login, response)) {
                login.given(proof);
            } else {
                // Keycloak may have gone on with the login that came after this request, and ignored its answer.
                login.perhapsGiven(proof);
            }
            login.passed(identity.provider() + (person == null ? " (first login)" : ""));
        }
        return response;
    }

    /** Whether the login goes on where it would if the answer was ignored. */
    private boolean isWhereItWasBefore(Login login, HttpResponse<String> response) {
        String location = response.headers().firstValue("Location").orElse("");
        return location.contains("/login-actions/authenticate")
                || location.contains("/login-actions/post-broker-login")
                        && seen.paths(seen.tabIdOf(login)).contains("post-broker-login");
    }

    private boolean goesOn(String url, HttpResponse<String> response) {
        if (response.statusCode() == 302) {
            return true;
        }
        Page.Kind kind = read(url, response).kind();
        return kind != Page.Kind.ERROR
                && kind != Page.Kind.REFUSED
                && kind != Page.Kind.EXPIRED
                && kind != Page.Kind.INFORMATION;
    }

    private void arrive(String url, HttpResponse<String> first) {
        HttpResponse<String> response = first;
        String from = url;
        while (true) {
            learn(from, response);
            String location = response.headers().firstValue("Location").orElse(null);
            walk.answers().noteSession(from, response, location);
            walk.links().check(from, loginOf(from));
            if (location == null) {
                show(read(from, response));
                return;
            }
            if (location.startsWith(WalkRealm.CALLBACK)) {
                tab.leave();
                walk.answers().land(loginOf(from), location);
                return;
            }
            if (!walk.chance(isBetweenFlows(from + " " + location) ? FOLLOWED_BETWEEN_FLOWS : FOLLOWED_AT_ONCE)) {
                tab.stop();
                unfollowed.add(location);
                lastStop = location;
                walk.say("    does not follow the redirect to " + Walk.path(location));
                return;
            }
            walk.say("    > " + Walk.path(location));
            from = location;
            response = get(location);
        }
    }

    private static boolean isBetweenFlows(String addresses) {
        return BETWEEN_FLOWS.stream().anyMatch(addresses::contains);
    }

    private void show(Page page) {
        tab.show(page);
        walk.devices().arrivedAt(page, tab.login());
        walk.say("    sees " + page.kind() + (page.attempted() == null ? "" : " of " + page.attempted()));
    }

    /** Remembers what a response shows: the login of each tab id, session codes, executions, links to providers. */
    private void learn(String url, HttpResponse<String> response) {
        if (!walk.isOfTheRealm(url)) {
            return;
        }
        seen.addVisit(Walk.parameter(url, "tab_id"), url);
        String location = response.headers().firstValue("Location").orElse("");
        if (location.contains("/protocol/openid-connect/auth?") && !walk.isOfTheRealm(location)) {
            seen.addBrokerState(
                    Walk.parameter(location, "state"), loginOf(url), url.contains("/login-actions/required-action"));
            return;
        }
        for (String address : addresses(url, response)) {
            String tabId = Walk.parameter(address, "tab_id");
            if (tabId != null) {
                if (url.contains("/protocol/openid-connect/auth?")) {
                    seen.addLogin(tabId, tab.login());
                }
                tab.login(loginOf(address));
                seen.add(tabId, address);
            }
        }
        if (location.isEmpty()) {
            learnExecutions(read(url, response));
        }
    }

    private void learnExecutions(Page page) {
        for (Form form : page.forms()) {
            String tabId = Walk.parameter(form.action(), "tab_id");
            String execution = Walk.parameter(form.action(), "execution");
            if (tabId != null && execution != null) {
                seen.addExecution(tabId, execution, form.action(), page.kind());
            }
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
        return addresses.stream().filter(walk::isOfTheRealm).toList();
    }
}
