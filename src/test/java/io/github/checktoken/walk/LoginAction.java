package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.oracle.Proof;
import io.github.checktoken.walk.realm.WalkRealm;

/** An action on a login page, with the weight by which it is drawn among the actions that are possible. */
enum LoginAction {
    NEW_REQUEST(walk -> isOver(walk) ? 40 : 1, LoginAction::newRequest),
    NEW_REQUEST_IN_A_NEW_TAB(walk -> walk.tabs().size() > 3 ? 0 : 1, walk -> {
        walk.openTab();
        newRequest(walk);
    }),
    OTHER_TAB(walk -> walk.tabs().size() > 1 ? 3 : 0, walk -> {
        walk.switchTo(walk.pick(walk.tabs()));
        walk.say("goes to this tab");
    }),
    RIGHT(
            walk -> !isToFill(walk.page()) ? 0 : isHalfWay(walk) ? 40 : 60,
            walk -> new FormInput(walk, walk.page()).rightly()),
    WRONG(walk -> isToFill(walk.page()) ? 4 : 0, walk -> new FormInput(walk, walk.page()).wrongly()),
    OLDER_FORM(walk -> olderForms(walk).isEmpty() ? 0 : 4, walk -> {
        Page page = walk.pick(olderForms(walk));
        walk.say("goes back to " + page.kind());
        new FormInput(walk, page).rightly();
    }),
    OLDER_ADDRESS(walk -> olderAddresses(walk).isEmpty() ? 0 : 3, walk -> {
        String url = walk.pick(olderAddresses(walk));
        walk.say("opens again " + Walk.path(url));
        walk.open(url);
    }),
    BUTTON(walk -> button(walk.page()), LoginAction::pressButton),
    NEW_SECRET(walk -> isKind(walk, Page.Kind.NEW_PIN, Page.Kind.NEW_PASSWORD) ? 50 : 0, LoginAction::chooseSecret),
    REGISTER(walk -> isKind(walk, Page.Kind.REGISTRATION) ? 40 : 0, LoginAction::register),
    TRY_ANOTHER_WAY(walk -> walk.page() != null && walk.page().otherWay() != null ? 18 : 0, walk -> {
        walk.say("tries another way");
        walk.submit(walk.page().otherWay(), walk.page().otherWay().fields());
    }),
    WAY(walk -> isKind(walk, Page.Kind.WAYS) ? 80 : 0, walk -> {
        int way = walk.number(walk.page().forms().size());
        walk.say("takes way " + way);
        Form form = walk.page().forms().get(way);
        walk.submit(form, form.fields());
    }),
    LINK(walk -> links(walk).isEmpty() ? 0 : isToFill(walk.page()) ? 2 : 15, walk -> {
        String link = walk.pick(links(walk));
        walk.say("follows the link to " + Walk.path(link));
        walk.open(link);
    }),
    RESTART(walk -> walk.loginTabs().isEmpty() ? 0 : 1, walk -> open(walk, "restart")),
    RESET_CREDENTIALS(
            walk -> walk.loginTabs().isEmpty() || isOver(walk) ? 0 : isHalfWay(walk) ? 7 : 3,
            walk -> open(walk, "reset-credentials")),
    AUTHENTICATE(
            walk -> walk.loginTabs().isEmpty() || isOver(walk)
                    ? 0
                    : isAtRedirect(walk) ? 25 : wasResetting(walk) ? 60 : 5,
            walk -> open(walk, "authenticate")),
    PROVIDER(walk -> providersOfPage(walk).isEmpty() ? 0 : 20, walk -> {
        String link = walk.pick(providersOfPage(walk));
        walk.say("goes to provider " + Walk.path(link));
        walk.open(link);
    }),
    PROVIDER_BY_OLDER_LINK(
            walk -> walk.providerLinks().isEmpty()
                    ? 0
                    : isAtRedirect(walk) ? 40 : isOver(walk) ? 1 : isHalfWay(walk) ? 9 : 4,
            walk -> {
                String link = walk.pick(providerLinks(walk));
                walk.say("goes to provider " + Walk.path(link) + " with the session code that is valid now");
                walk.open(link);
            }),
    PROVIDER_SAYS_NO(walk -> walk.brokerStates().isEmpty() ? 0 : 1, walk -> {
        String state = walk.pick(new ArrayList<>(walk.brokerStates().keySet()));
        walk.say("cancels at the provider");
        walk.open(walk.realm().url() + "/broker/" + walk.pick(WalkRealm.PROVIDERS)
                + "/endpoint?error=access_denied&state=" + Http.encode(state));
    }),
    REDIRECT(walk -> walk.unfollowed().isEmpty() ? 0 : isAtRedirect(walk) ? 25 : 4, walk -> {
        String url = walk.unfollowed().remove(walk.number(walk.unfollowed().size()));
        walk.say("follows the redirect to " + Walk.path(url));
        walk.open(url);
    }),
    MAIL_LINK(walk -> mailLinks(walk).isEmpty() ? 0 : 12, LoginAction::openMailLink),
    MAIL_OF_ADMINISTRATOR(walk -> 1, walk -> {
        Person person = walk.people().persons().get(walk.number(2));
        String action = walk.pick(List.of("UPDATE_PASSWORD", "VERIFY_EMAIL", "configure-pin"));
        walk.say("an administrator sends " + person.role() + " a mail to " + action);
        walk.realm()
                .admin()
                .send("PUT", walk.realm().admin().user(person.name()) + "/execute-actions-email", List.of(action));
    }),
    REDEEM(walk -> walk.hasCodes() ? 8 : 0, walk -> {
        walk.say("redeems a code of before");
        walk.redeemOne();
    }),
    REFRESH(walk -> walk.hasTokens() ? 2 : 0, walk -> {
        walk.say("refreshes");
        walk.refreshOne();
    }),
    LOG_OUT(walk -> !walk.hasTokens() ? 0 : isOver(walk) && walk.oracle().hasSession() ? 20 : 1, Walk::logOut);

    private final ToIntFunction<Walk> weight;
    private final Consumer<Walk> act;

    LoginAction(ToIntFunction<Walk> weight, Consumer<Walk> act) {
        this.weight = weight;
        this.act = act;
    }

    /** @return 0 if the action is not possible now */
    int weight(Walk walk) {
        return weight.applyAsInt(walk);
    }

    void pass(Walk walk) {
        act.accept(walk);
    }

    private static void newRequest(Walk walk) {
        String client = walk.pick(WalkRealm.CLIENTS);
        Map<String, String> more = new HashMap<>();
        boolean forced = false;
        switch (walk.number(20)) {
            case 0, 1, 2 -> {
                more.put("prompt", "login");
                forced = true;
            }
            case 3 -> more.put("prompt", "none");
            case 4 -> {
                // Keycloak accepts any number. Every login is older than this one, whatever the clock says.
                more.put("max_age", "-1");
                forced = walk.oracle().hasSession();
            }
            case 5 -> more.put("max_age", "100000");
            case 6 -> more.put("kc_action", "configure-pin");
            case 7 -> more.put("kc_action", "UPDATE_PASSWORD");
            case 8, 9 -> more.put("kc_action", "idp_link:" + walk.pick(WalkRealm.PROVIDERS));
            case 10 -> more.put("kc_action", deletion(walk));
            case 11 -> more.put("kc_idp_hint", walk.pick(WalkRealm.PROVIDERS));
            default -> {
                // Most requests have no further parameter.
            }
        }
        if (client.equals(WalkRealm.STEP_UP) && walk.chance(70)) {
            more.put("acr_values", "eidas2");
        }
        walk.say("opens " + client + " "
                + (more.containsKey("kc_action")
                        ? more.get("kc_action").replaceAll("delete_credential:.*", "delete_credential")
                        : more));
        walk.request(client, more, forced);
    }

    private static String deletion(Walk walk) {
        Person person = walk.people().persons().get(walk.number(2));
        JsonNode credentials = walk.realm().admin().get(walk.realm().admin().user(person.name()) + "/credentials");
        return credentials.isEmpty()
                ? "configure-pin"
                : "delete_credential:"
                        + credentials
                                .get(walk.number(credentials.size()))
                                .get("id")
                                .asText();
    }

    /** No login is under way in this tab. */
    private static boolean isOver(Walk walk) {
        return !walk.tab().isUnderWay();
    }

    private static boolean isAtRedirect(Walk walk) {
        return walk.page() == null && walk.tab().isUnderWay();
    }

    /** The page names a person, so somebody has begun to sign in. */
    private static boolean isHalfWay(Walk walk) {
        return walk.page() != null && walk.page().attempted() != null;
    }

    private static boolean wasResetting(Walk walk) {
        List<Page> pages = walk.tab().pages();
        return pages.size() > 1 && pages.get(pages.size() - 2).kind() == Page.Kind.RESET;
    }

    private static boolean isKind(Walk walk, Page.Kind... kinds) {
        return walk.page() != null && List.of(kinds).contains(walk.page().kind());
    }

    private static boolean isToFill(Page page) {
        return page != null && FormInput.KINDS.contains(page.kind());
    }

    private static List<Page> newest(Walk walk) {
        List<Page> pages = walk.tab().pages();
        return pages.subList(Math.max(0, pages.size() - 8), pages.size());
    }

    private static List<Page> olderForms(Walk walk) {
        return newest(walk).stream()
                .filter(page -> page != walk.page() && isToFill(page))
                .toList();
    }

    private static List<String> olderAddresses(Walk walk) {
        return newest(walk).stream()
                .filter(page -> page != walk.page())
                .flatMap(page -> page.forms().stream())
                .map(form -> form.action().replaceAll("session_code=[^&]*&?", ""))
                .filter(url -> url.contains("/login-actions/"))
                .distinct()
                .toList();
    }

    private static int button(Page page) {
        if (page == null || page.form() == null) {
            return 0;
        }
        return switch (page.kind()) {
            case CONSENT, LINK_ACCOUNT, LINK_ACTION, DELETE_CREDENTIAL, PROFILE, LOGOUT, OTHER_FORM -> 50;
            case MAIL_CODE -> 4;
            case NEW_PIN, NEW_PASSWORD -> page.form().hasButton("cancel-aia") ? 15 : 0;
            case VERIFY_EMAIL -> 8;
            default -> 0;
        };
    }

    private static void pressButton(Walk walk) {
        Form form = walk.page().form();
        Page.Kind kind = walk.page().kind();
        Map<String, String> fields = new HashMap<>(form.fields());
        List<Map.Entry<String, String>> buttons = form.buttons().stream()
                .filter(button ->
                        !button.getKey().equals("login") || form.buttons().size() == 1)
                .toList();
        String pressed = "the only one";
        if (!buttons.isEmpty()) {
            Map.Entry<String, String> button = walk.pick(buttons);
            fields.put(button.getKey(), button.getValue());
            pressed = button.getKey() + " " + button.getValue();
        }
        walk.say("presses " + pressed + " at " + kind);
        walk.submit(form, fields);
    }

    private static void chooseSecret(Walk walk) {
        Page page = walk.page();
        boolean pin = page.kind() == Page.Kind.NEW_PIN;
        String field = pin ? "pin" : "password";
        String secret = pin ? walk.newDigits() : "new-" + walk.newName();
        Login login = walk.loginOf(page.form().action());
        String person = login == null || login.person() == null ? walk.oracle().person() : login.person();
        Map<String, String> fields = new HashMap<>(page.form().fields());
        fields.put(field + "-new", secret);
        fields.put((pin ? "pin" : "password") + "-confirm", secret);
        walk.say("chooses a new " + field + ", of " + person + " it seems");
        walk.submit(page.form(), fields);
        if (person != null && !isKind(walk, page.kind())) {
            (pin ? walk.pins() : walk.passwords()).put(person, secret);
        }
        if (login != null) {
            login.passed("new " + field);
        }
    }

    private static void register(Walk walk) {
        Page page = walk.page();
        String name = walk.newName();
        Login login = walk.loginOf(page.form().action());
        Map<String, String> fields = new HashMap<>(page.form().fields());
        fields.putAll(Map.of(
                "username",
                name,
                "email",
                name + "@example.org",
                "firstName",
                "Camille",
                "lastName",
                "Moreau",
                "password",
                "password-" + name,
                "password-confirm",
                "password-" + name));
        walk.say("registers as " + name);
        walk.submit(page.form(), fields, response -> {
            if (response.statusCode() == 302) {
                walk.passwords().put(name, "password-" + name);
                if (login != null) {
                    login.given(Proof.withoutMethod(name));
                    login.passed("registration");
                }
            }
        });
    }

    private static final Set<String> OWN_DOORS = Set.of("/broker/", "/restart", "/logout");

    private static List<String> links(Walk walk) {
        if (walk.page() == null) {
            return List.of();
        }
        return walk.page().links().stream()
                .filter(link -> link.startsWith(walk.realm().url()))
                .filter(link -> OWN_DOORS.stream().noneMatch(link::contains))
                .toList();
    }

    private static List<String> providersOfPage(Walk walk) {
        return walk.page() == null
                ? List.of()
                : walk.page().links().stream()
                        .filter(link -> link.startsWith(walk.realm().url()) && link.contains("/broker/"))
                        .toList();
    }

    /** The links to providers of all pages so far, each with the newest session code of its login. */
    private static List<String> providerLinks(Walk walk) {
        List<String> links = new ArrayList<>();
        String own = walk.tabIdOf(walk.tab().login());
        walk.providerLinks().forEach((key, link) -> {
            String code = walk.sessionCode(key.split(" ")[0]);
            // Usually a link of this tab's login, because other logins ended long ago.
            int times = key.startsWith(own + " ") ? 12 : 1;
            for (int i = 0; i < times; i++) {
                links.add(code == null ? link : link.replaceAll("session_code=[^&]*", "session_code=" + code));
            }
        });
        return links;
    }

    private static void open(Walk walk, String action) {
        List<String> newest = walk.loginTabs();
        String own = walk.tabIdOf(walk.tab().login());
        String tabId = own;
        if (own == null || walk.chance(wasResetting(walk) ? 80 : 30)) {
            // Sometimes takes a login of another tab, because resetting credentials continues in a tab of its own.
            tabId = walk.pick(newest.subList(Math.max(0, newest.size() - 3), newest.size()));
        }
        walk.say("opens login-actions/" + action);
        walk.open(walk.realm().url() + "/login-actions/" + action + "?client_id=" + walk.clientOf(tabId) + "&tab_id="
                + tabId);
    }

    private static List<Map.Entry<String, String>> mailLinks(Walk walk) {
        List<Map.Entry<String, String>> links = new ArrayList<>();
        for (Person person : walk.people().persons()) {
            walk.mailServer().links(person.address()).forEach(link -> links.add(Map.entry(person.name(), link)));
        }
        return links;
    }

    /** The link proves access to the mailbox. So the person may continue, but amr has no method for it. */
    private static void openMailLink(Walk walk) {
        Map.Entry<String, String> link = walk.pick(mailLinks(walk));
        walk.say("opens a link of a mail to " + link.getKey());
        walk.open(link.getValue(), response -> {
            if (response.statusCode() < 400) {
                Login login = walk.loginAfter(link.getValue(), response);
                login.given(Proof.withoutMethod(link.getKey()));
                login.passed("mail link");
            }
        });
    }
}
