package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;

/** Goes back to earlier pages of this tab, and opens login actions with what any page has shown. */
final class EarlierPages {

    private static final int PAGES = 8;
    private static final List<String> PATHS = List.of("authenticate", "reset-credentials", "registration");
    private static final List<String> BROKER_PATHS = List.of("post-broker-login", "first-broker-login");

    private final Walk walk;

    /** One way to open a login action. */
    private record Attempt(String path, String execution, String shown, boolean withCode) {

        String key() {
            return path + " " + shown + (withCode ? " with a session code" : "");
        }
    }

    EarlierPages(Walk walk) {
        this.walk = walk;
    }

    /** @return the newest pages with a form to fill in, without the one that the tab shows */
    List<Page> forms() {
        return newest().stream()
                .filter(page -> page != walk.page() && page.form() != null && FormInput.KINDS.contains(page.kind()))
                .toList();
    }

    void fillIn() {
        Page page = walk.pick(forms());
        walk.say("goes back to " + page.kind());
        new FormInput(walk, page).rightly();
    }

    /** @return those of this realm, of which a session code was shown */
    List<Page> formsWithCode() {
        return forms().stream()
                .filter(page -> page.form().action().contains("session_code="))
                .toList();
    }

    /** Whether one of them takes a name alone, because with it the person can change. */
    boolean hasNameForm() {
        return formsWithCode().stream().anyMatch(page -> page.kind() == Page.Kind.NAME);
    }

    /** Like a page that was opened twice: the older form with the session code that is valid now. */
    void fillInWithNewestCode() {
        Page page = walk.pick(formsWithCode());
        walk.say("goes back to " + page.kind() + ", with the session code that is valid now");
        FormInput input = new FormInput(walk, page, withNewestCode(page.form()));
        if (walk.chance(65)) {
            input.rightly();
        } else {
            input.wrongly();
        }
    }

    /** Submits a form to the path of another flow. */
    void fillInForAnotherFlow(Page page) {
        List<String> others = new ArrayList<>(paths(Walk.parameter(page.form().action(), "tab_id")));
        others.removeIf(page.form().action().split("\\?")[0]::endsWith);
        String path = walk.pick(others);
        walk.say("sends the form of " + page.kind() + " to login-actions/" + path);
        Form form = withNewestCode(page.form());
        Form swapped = new Form(
                form.action().replaceAll("/login-actions/[a-z-]+", "/login-actions/" + path),
                form.fields(),
                form.buttons());
        if (page.kind() == Page.Kind.MAIL_CODE && walk.chance(60)) {
            new FormInput(walk, page, swapped).askAgain();
        } else {
            new FormInput(walk, page, swapped).rightly();
        }
    }

    /** @return addresses of earlier forms, without their session codes */
    List<String> addresses() {
        return newest().stream()
                .filter(page -> page != walk.page())
                .flatMap(page -> page.forms().stream())
                .map(form -> form.action().replaceAll("session_code=[^&]*&?", ""))
                .filter(url -> url.contains("/login-actions/"))
                .distinct()
                .toList();
    }

    /** Opens a login action of this login, preferably in a way that this walk has not tried in this situation. */
    void openLoginAction() {
        String tabId = tabId();
        String situation = (walk.page() == null ? "redirect" : walk.page().kind()) + " of "
                + (walk.tab().login() == null ? null : walk.tab().login().person());
        Attempt best = attempts(tabId).stream()
                .max(Comparator.comparingInt(attempt -> walk.affinity(attempt.key())
                        + (walk.navigation().isNew(situation + " " + attempt.key()) ? 500 : 0)
                        + (BROKER_PATHS.contains(attempt.path()) ? 400 : 0)
                        + (attempt.path().equals(walk.navigation().otherFlow()) ? 300 : 0)
                        + (attempt.withCode() ? -250 : attempt.execution() == null && walk.page() != null ? 250 : 0)))
                .orElseThrow();
        walk.navigation().tried(situation + " " + best.key());
        walk.say("opens login-actions/" + best.key());
        walk.open(walk.realm().url() + "/login-actions/" + best.path() + "?client_id="
                + walk.seen().clientOf(tabId) + "&tab_id=" + tabId
                + (best.execution() == null ? "" : "&execution=" + best.execution())
                + (best.withCode() ? "&session_code=" + Http.encode(walk.seen().sessionCode(tabId)) : ""));
    }

    private List<Attempt> attempts(String tabId) {
        List<Attempt> attempts = new ArrayList<>();
        for (String path : paths(tabId)) {
            attempts.add(new Attempt(path, null, "", false));
            for (Map.Entry<String, Page.Kind> execution :
                    walk.seen().executions(tabId).entrySet()) {
                String shown = "with the execution of " + execution.getValue();
                attempts.add(new Attempt(path, execution.getKey(), shown, false));
                if (walk.seen().sessionCode(tabId) != null) {
                    attempts.add(new Attempt(path, execution.getKey(), shown, true));
                }
            }
        }
        return attempts;
    }

    private Set<String> paths(String tabId) {
        Set<String> paths = new LinkedHashSet<>(PATHS);
        paths.addAll(walk.seen().paths(tabId));
        paths.removeAll(List.of("restart", "action-token", "detached-info"));
        return paths;
    }

    private String tabId() {
        String own = walk.seen().tabIdOf(walk.tab().login());
        List<String> all = walk.seen().tabIds();
        return own != null && walk.chance(80) ? own : walk.pick(all.subList(Math.max(0, all.size() - 3), all.size()));
    }

    private Form withNewestCode(Form form) {
        String code = walk.seen().sessionCode(Walk.parameter(form.action(), "tab_id"));
        return code == null
                ? form
                : new Form(
                        form.action().replaceAll("session_code=[^&]*", "session_code=" + Http.encode(code)),
                        form.fields(),
                        form.buttons());
    }

    private List<Page> newest() {
        List<Page> pages = walk.tab().pages();
        return pages.subList(Math.max(0, pages.size() - PAGES), pages.size());
    }
}
