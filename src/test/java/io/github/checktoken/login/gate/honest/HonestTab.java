package io.github.checktoken.login.gate.honest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;

/** One tab of a person's browser. At a dead end, the person opens the client again. */
public final class HonestTab {

    private static final int MOST_STEPS = 25;
    private static final int MOST_REQUESTS = 4;
    private static final int MOST_CODES = 4;

    private final HonestRealm realm;
    private final HonestBrowser browser;
    private final HonestAnswers answers;
    private final ShownPage shown;
    private Habit habit;
    private String client;
    private Map<String, String> parameters = Map.of();
    private int requests;
    private Tokens tokens;

    HonestTab(HonestRealm realm, HonestBrowser browser, HonestAnswers answers, Habit habit) {
        this.realm = realm;
        this.browser = browser;
        this.answers = answers;
        this.habit = habit;
        this.shown = new ShownPage(browser);
    }

    ShownPage shown() {
        return shown;
    }

    HonestPerson person() {
        return answers.person();
    }

    String client() {
        return client;
    }

    /** @return what the tab was answered, step by step */
    public List<String> seen() {
        return shown.seen();
    }

    /** Whether the tab was at a dead end, or was told that the page had expired. */
    public boolean needsASecondTry() {
        return seen().stream().anyMatch(each -> each.equals("again") || each.matches(".*(EXPIRED|ERROR|error).*"));
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
        shown.get(url, Habit.ONCE);
        return this;
    }

    /** Follows the first link of the page whose address has this part. */
    HonestTab click(String part) {
        return click(part, habit);
    }

    private HonestTab click(String part, Habit how) {
        String link = shown.page().links().stream()
                .filter(each -> each.contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no link " + part + " after " + seen()));
        shown.get(link, how);
        return this;
    }

    /** Answers one page. */
    HonestTab answer() {
        Form form = shown.page().form();
        Map<String, String> fields = new HashMap<>(form.fields());
        fields.putAll(answers.to(shown.page()));
        answers.sent(fields);
        String from = shown.page().url();
        shown.show(
                form.action(),
                switch (habit) {
                    case ONCE -> List.of(browser.post(form.action(), fields));
                    case PRESSES_TWICE ->
                        HonestBrowser.atOnce(
                                () -> browser.post(form.action(), fields), () -> browser.post(form.action(), fields));
                    case RELOADS ->
                        HonestBrowser.atOnce(() -> browser.post(form.action(), fields), () -> browser.get(from));
                },
                habit);
        return this;
    }

    /** Answers pages until there is one of this kind. */
    HonestTab until(Page.Kind kind) {
        while (!shown.is(kind) && (isAsked() || shown.is(Page.Kind.EXPIRED))) {
            next();
        }
        return this;
    }

    /** Does what the pages ask for until the client has its answer. */
    HonestTab finish() {
        for (int step = 0; step < MOST_STEPS; step++) {
            if (shown.callback() != null && !shown.callback().contains("error=")) {
                return this;
            }
            next();
        }
        throw new AssertionError("no end: " + seen());
    }

    /** Does what the pages ask for until they ask for nothing more. */
    void answerAll() {
        while (isAsked() || shown.is(Page.Kind.EXPIRED)) {
            next();
        }
    }

    private boolean isAsked() {
        return shown.callback() == null && answers.knows(shown.page());
    }

    private void next() {
        String provider = "/broker/" + parameters.get("kc_idp_hint") + "/login";
        if (shown.hasLink(provider)) {
            // Its page is at the provider: nobody loads this address again.
            click(provider, habit == Habit.RELOADS ? Habit.ONCE : habit);
        } else if (habit != Habit.ONCE && shown.is(Page.Kind.MAIL_CODE) && answers.codesSent() == MOST_CODES) {
            // Each time, the page was loaded again before the code was read, or it was the code for another tab.
            again();
        } else if (isAsked()) {
            answer();
        } else if (shown.is(Page.Kind.EXPIRED)) {
            click(shown.page().links().stream()
                    .filter(link -> !link.contains("/restart"))
                    .findFirst()
                    .orElse("/restart"));
        } else if (shown.callback() == null && !shown.is(Page.Kind.ERROR) && answers.newMail() != null) {
            openMail();
        } else if (!shown.is(Page.Kind.ERROR) && shown.hasLink("/login-actions/")) {
            click("/login-actions/");
        } else {
            again();
        }
    }

    /** Opens the client again. Who was at a dead end now presses everything once. */
    private void again() {
        if (requests == MOST_REQUESTS) {
            throw new AssertionError("a dead end: " + seen());
        }
        seen().add("again");
        habit = Habit.ONCE;
        request(client, parameters);
    }

    /** Opens the newest mail in this tab; who presses the link twice or loads the page again has it in a further tab too. */
    void openMail() {
        String link = answers.openMail();
        if (habit == Habit.ONCE) {
            open(link);
        } else {
            HonestTab further = new HonestTab(realm, browser, answers, Habit.ONCE);
            HonestBrowser.atOnce(() -> further.open(link), () -> open(link));
            seen().addAll(further.seen().stream().map(each -> "further " + each).toList());
        }
    }

    /** Opens the newest mail in another browser, where nobody is signed in, and does what the pages there ask for. */
    void openMailInAnotherBrowser() {
        HonestTab other = new HonestTab(realm, new HonestBrowser(), answers, habit);
        other.open(answers.openMail());
        while (other.isAsked() || other.shown.hasLink("/login-actions/")) {
            if (other.isAsked()) {
                other.answer();
            } else {
                other.click("/login-actions/");
            }
        }
        seen().addAll(other.seen().stream().map(each -> "elsewhere " + each).toList());
    }

    /** Starts the login again, as the button beside the person's name does. */
    void restart() {
        open(shown.page()
                .form()
                .action()
                .replace("/authenticate?", "/restart?")
                .replaceFirst("session_code=[^&]+&", ""));
    }

    void logOut() {
        open(realm.url() + "/protocol/openid-connect/logout?client_id=" + client)
                .answer();
    }

    /** Requests tokens without a browser. */
    void passwordGrant() {
        client = "app";
        tokens = new GrantWithoutRedirect(realm, client).password(person(), habit);
    }

    /** Approves a device of the client in this tab. The device then asks for its tokens. */
    void approveADevice() {
        client = "app";
        tokens = new GrantWithoutRedirect(realm, client).device(this);
    }

    /** @return the tokens for the code, or those that the client already has; null if it has none */
    Tokens tokens() {
        if (tokens == null && shown.callback() != null) {
            if (shown.parameter("code") != null) {
                tokens = realm.client(client).redeem(shown.callback());
            } else if (shown.parameter("id_token") != null) {
                tokens = new Tokens(shown.parameter("access_token"), null, shown.parameter("id_token"));
            }
        }
        return tokens;
    }
}
