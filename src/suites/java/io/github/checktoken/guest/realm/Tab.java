package io.github.checktoken.guest.realm;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;

/** One tab of a browser, in which a person does what the pages offer. */
public final class Tab {

    private static final int MOST_STEPS = 5;

    private final GuestRealm realm;
    private final TabBrowser browser;
    private final Person person;
    private String clientId;
    private HttpResponse<String> response;

    Tab(GuestRealm realm, TabBrowser browser, Person person) {
        this.realm = realm;
        this.browser = browser;
        this.person = person;
    }

    public HttpResponse<String> response() {
        return response;
    }

    public Shown shown() {
        return Shown.of(response);
    }

    public Page page() {
        return Shown.page(response);
    }

    /** Sends an application's authorization request. */
    public Tab open(String client, Map<String, String> parameters) {
        clientId = client;
        AuthorizationRequest request = realm.request(client);
        parameters.forEach(request::with);
        return show(browser.get(request.url()));
    }

    /** Shows a response that the browser has got. */
    public Tab show(HttpResponse<String> got) {
        response = got;
        return this;
    }

    /** Follows the first link whose address has this part. */
    public Tab click(String part) {
        return show(browser.get(
                link(part).orElseThrow(() -> new AssertionError("no link " + part + ": " + shown().text()))));
    }

    private Optional<String> link(String part) {
        return page().links().stream().filter(link -> link.contains(part)).findFirst();
    }

    /** Submits the form of the page with the person's answers. */
    public Tab answer() {
        return submit(fields());
    }

    /** Submits the form of the page. */
    public Tab submit(Map<String, String> fields) {
        return show(browser.post(page().form().action(), fields));
    }

    /** @return all fields of the form of the page, with the person's answers */
    public Map<String, String> fields() {
        Form form = page().form();
        if (form == null) {
            throw new AssertionError("no form: " + shown().text());
        }
        Map<String, String> fields = new HashMap<>(form.fields());
        fields.putAll(person.answers(page()));
        return fields;
    }

    /** @return whether there was a mail that the person had not opened */
    public boolean openMail() {
        List<String> links = new ArrayList<>(realm.mailLinks(person));
        links.removeAll(person.openedMails());
        if (links.isEmpty()) {
            return false;
        }
        person.openedMails().addAll(links);
        show(browser.get(links.get(links.size() - 1)));
        return true;
    }

    /**
     * Goes on as the pages offer, until the application has its code.
     *
     * @return what was shown, step by step
     */
    public List<Shown> goOn() {
        List<Shown> seen = new ArrayList<>(List.of(shown()));
        while (shown().rank() != Shown.Rank.SIGNED_IN && seen.size() <= MOST_STEPS && step()) {
            seen.add(shown());
        }
        return seen;
    }

    private boolean step() {
        if (TabBrowser.location(response) != null) {
            open(clientId, Map.of());
        } else if (openMail()) {
            return true;
        } else if (page().form() != null && !person.answers(page()).isEmpty()) {
            answer();
        } else {
            return follow();
        }
        return true;
    }

    /** The link that goes on with the same login comes before the others. */
    private boolean follow() {
        Optional<String> next = link("/login-actions/authenticate")
                .or(() -> link("/login-actions/"))
                .or(() -> link(realm.url()));
        next.ifPresent(link -> show(browser.get(link)));
        return next.isPresent();
    }
}
