package io.github.checktoken.walk;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.oracle.Proof;
import io.github.checktoken.walk.realm.WalkRealm;

/** An action on a login page, with the weight by which it is drawn among the actions that are possible. */
enum LoginAction {
    NEW_REQUEST(walk -> isOver(walk) ? 40 : 1, NewRequest::send),
    NEW_REQUEST_IN_A_NEW_TAB(walk -> walk.navigation().tabs().size() > 3 ? 0 : 1, walk -> {
        walk.navigation().openTab();
        NewRequest.send(walk);
    }),
    OTHER_TAB(walk -> walk.navigation().tabs().size() > 1 ? 3 : 0, walk -> {
        walk.navigation().switchTo(walk.pick(walk.navigation().tabs()));
        walk.say("goes to this tab");
    }),
    RIGHT(
            walk -> !isToFill(walk.page())
                    ? 0
                    : isStuck(walk) || isAnswerDue(walk) ? 3 : isSlow(walk) ? 15 : isHalfWay(walk) ? 40 : 60,
            walk -> new FormInput(walk, walk.page()).rightly()),
    RIGHT_WITHOUT_WAITING(walk -> isSlow(walk) ? 40 : 0, walk -> {
        walk.navigation().doNotWait(2 + walk.number(3));
        if (isKind(walk, Page.Kind.NEW_PIN)) {
            NewSecret.choose(walk);
        } else {
            new FormInput(walk, walk.page()).rightly();
        }
    }),
    WRONG(walk -> isToFill(walk.page()) ? 4 : 0, walk -> new FormInput(walk, walk.page()).wrongly()),
    OLDER_FORM(
            walk -> new EarlierPages(walk).forms().isEmpty() ? 0 : isOver(walk) ? 1 : 3,
            walk -> new EarlierPages(walk).fillIn()),
    OLDER_FORM_WITH_NEWEST_CODE(
            walk -> new EarlierPages(walk).formsWithCode().isEmpty()
                    ? 0
                    : isOver(walk) ? 1 : isAtRedirect(walk) ? 45 : 4,
            walk -> new EarlierPages(walk).fillInWithNewestCode()),
    FORM_OF_ANOTHER_FLOW(
            walk -> !isToFill(walk.page()) || !isOfALoginAction(walk.page())
                    ? 0
                    : walk.seen().isOfAnotherFlow(walk.page().form().action()) ? 60 : 2,
            walk -> new EarlierPages(walk).fillInForAnotherFlow(walk.page())),
    STEP_WITHOUT_ITS_FORM(
            walk -> walk.seen().tabIds().isEmpty() || isOver(walk) ? 0 : isHalfWay(walk) ? 6 : 3,
            LoginAction::submitNothing),
    OLDER_ADDRESS(walk -> new EarlierPages(walk).addresses().isEmpty() ? 0 : 2, walk -> {
        String url = walk.pick(new EarlierPages(walk).addresses());
        walk.say("opens again " + Walk.path(url));
        walk.open(url);
    }),
    LOGIN_ACTION(
            walk -> walk.seen().tabIds().isEmpty()
                    ? 0
                    : isKind(walk, Page.Kind.ERROR)
                            ? 8
                            : isOver(walk) ? 1 : isStuck(walk) ? 50 : isAtRedirect(walk) ? 45 : 6,
            walk -> new EarlierPages(walk).openLoginAction()),
    BUTTON(walk -> button(walk.page()), LoginAction::pressButton),
    NEW_SECRET(walk -> isKind(walk, Page.Kind.NEW_PIN, Page.Kind.NEW_PASSWORD) ? 50 : 0, NewSecret::choose),
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
    LINK(walk -> links(walk).isEmpty() ? 0 : isToFill(walk.page()) ? 2 : 15, LoginAction::followLink),
    RESTART(walk -> walk.seen().tabIds().isEmpty() ? 0 : isAnswerDue(walk) ? 120 : 1, walk -> open(walk, "restart")),
    RESET_CREDENTIALS(
            walk -> walk.seen().tabIds().isEmpty() || isOver(walk) ? 0 : isHalfWay(walk) || isAtRedirect(walk) ? 8 : 3,
            walk -> open(walk, "reset-credentials")),
    AUTHENTICATE(
            walk -> walk.seen().tabIds().isEmpty() || isOver(walk)
                    ? 0
                    : isAtRedirect(walk) ? 20 : wasResetting(walk) ? 60 : isResetting(walk) ? 50 : 5,
            walk -> open(walk, "authenticate")),
    CONSENT(
            walk -> walk.seen().tabIds().isEmpty() || isOver(walk) ? 0 : 3,
            walk -> submitConsent(walk, walk.chance(80) ? "accept" : "cancel")),
    PROVIDER(walk -> providersOfPage(walk).isEmpty() ? 0 : walk.isHostile() ? 35 : 20, walk -> {
        String link = walk.pick(providersOfPage(walk));
        walk.say("goes to provider " + Walk.path(link));
        walk.open(link);
    }),
    PROVIDER_BY_OLDER_LINK(
            walk -> walk.seen().providerLinks().isEmpty()
                    ? 0
                    : isAtRedirect(walk)
                            ? 25
                            : isOver(walk) ? 1 : hasReachedLevel(walk) ? 60 : isHalfWay(walk) ? 20 : 4,
            walk -> {
                String link = walk.pick(providerLinks(walk));
                walk.say("goes to provider " + Walk.path(link) + " with the session code that is valid now");
                walk.open(link);
            }),
    PROVIDER_SAYS_NO(walk -> walk.seen().brokerStates().isEmpty() ? 0 : 1, walk -> {
        String state = walk.pick(new ArrayList<>(walk.seen().brokerStates().keySet()));
        walk.say("cancels at the provider");
        walk.open(walk.realm().url() + "/broker/" + walk.pick(WalkRealm.PROVIDERS)
                + "/endpoint?error=access_denied&state=" + Http.encode(state));
    }),
    REDIRECT(walk -> walk.navigation().unfollowed().isEmpty() ? 0 : isAtRedirect(walk) ? 20 : 4, walk -> {
        List<String> unfollowed = walk.navigation().unfollowed();
        String url = unfollowed.remove(walk.number(unfollowed.size()));
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
    NEW_ACCOUNT_IS_DELETED(
            walk -> walk.links().newcomers().isEmpty() || isAnswerDue(walk) ? 0 : isAtRedirect(walk) ? 10 : 2, walk -> {
                String name = walk.pick(walk.links().newcomers());
                // So that nobody is signed in who is gone when the oracle asks.
                walk.navigation().await();
                walk.say("an administrator deletes the account " + name);
                walk.links().deleteAccount(name);
            }),
    REDEEM(walk -> walk.answers().hasCodes() ? 8 : 0, walk -> {
        walk.say("redeems a code of before");
        walk.answers().redeemOne();
    }),
    REFRESH(walk -> walk.answers().tokens().isEmpty() ? 0 : 2, walk -> {
        walk.say("refreshes");
        walk.answers().refreshOne();
    }),
    REFRESH_TWICE_AT_ONCE(walk -> walk.answers().tokens().isEmpty() ? 0 : 1, walk -> {
        walk.say("refreshes twice at once");
        walk.answers().refreshTwiceAtOnce();
    }),
    EXCHANGE(walk -> walk.answers().tokens().isEmpty() ? 0 : 1, walk -> {
        walk.say("exchanges an access token");
        walk.answers().exchange();
    }),
    DEVICE(walk -> isOver(walk) ? 4 : 0, walk -> walk.devices().open()),
    POLL_BY_DEVICE(
            walk -> !walk.devices().areWaiting() ? 0 : isOver(walk) ? 12 : 1,
            walk -> walk.devices().poll()),
    END_SESSION(
            walk -> walk.answers().tokens().isEmpty()
                    ? 0
                    : isOver(walk) && walk.oracle().hasSession() ? 8 : 1,
            SessionEnd::pass),
    LOG_OUT(
            walk -> walk.answers().tokens().isEmpty()
                    ? 0
                    : isOver(walk) && walk.oracle().hasSession() ? 20 : 1,
            walk -> walk.answers().logOut()),
    SILENT_REQUESTS(
            walk -> walk.oracle().hasSession() ? 4 : 1, walk -> new SilentRequests(walk, walk.observed()).send()),
    STEP_BESIDE_FRAMES(
            Crowds::weight, walk -> Crowds.step(walk, beside -> new SilentRequests(beside, beside.observed()))),
    STEP_BESIDE_SERVICES(Crowds::weightWithTokens, walk -> Crowds.step(walk, ServiceCalls::new)),
    STEP_BESIDE_SIGN_OUTS(Crowds::weightWithTokens, walk -> Crowds.step(walk, SignOuts::new)),
    OTHER_BROWSER(
            walk -> walk.navigation().isWaiting() ? 0 : walk.otherBrowser().isUsed() ? 8 : 4,
            walk -> walk.otherBrowser().goOn()),
    SHARED_COOKIE(
            walk -> walk.otherBrowser().isUsed() ? 10 : 0,
            walk -> walk.otherBrowser().shareCookie()),
    PASSWORD_OF_V(
            walk -> walk.isHostile() && walk.otherBrowser().isUsed() && takesPasswordOfV(walk) ? 60 : 0,
            walk -> new FormInput(walk, walk.page())
                    .withPasswordOf(walk.otherBrowser().person()));

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

    /** No login is under way in this tab. */
    private static boolean isOver(Walk walk) {
        return !walk.tab().isUnderWay();
    }

    /** The page asks for a secret that nobody here knows. */
    private static boolean isStuck(Walk walk) {
        return walk.isHostile()
                && isKind(walk, Page.Kind.PASSWORD, Page.Kind.PIN, Page.Kind.OTP, Page.Kind.MAIL_CODE)
                && "V".equals(walk.people().role(walk.page().attempted()));
    }

    private static boolean takesPasswordOfV(Walk walk) {
        return isKind(walk, Page.Kind.PASSWORD, Page.Kind.NAME_AND_PASSWORD)
                && walk.isOfTheRealm(walk.page().url())
                && (walk.page().attempted() == null
                        ? walk.page().kind() == Page.Kind.NAME_AND_PASSWORD
                        : "V".equals(walk.people().role(walk.page().attempted())));
    }

    private static boolean isAtRedirect(Walk walk) {
        return walk.page() == null && walk.tab().isUnderWay();
    }

    /** The page names a person, so somebody has begun to sign in. */
    private static boolean isHalfWay(Walk walk) {
        return walk.page() != null && walk.page().attempted() != null;
    }

    /** The second level, which is told as soon as the login ends. */
    private static boolean hasReachedLevel(Walk walk) {
        return walk.tab().login().asksForLevelAtOnce()
                && AnswerCheck.reachesSecondLevel(walk.tab().login().everProved());
    }

    private static boolean wasResetting(Walk walk) {
        List<Page> pages = walk.tab().pages();
        return pages.size() > 1 && pages.get(pages.size() - 2).kind() == Page.Kind.RESET;
    }

    /** The page belongs to a reset in which somebody has proved something. */
    private static boolean isResetting(Walk walk) {
        return (isToFill(walk.page()) || isKind(walk, Page.Kind.NEW_PASSWORD))
                && walk.page().form().action().contains("/login-actions/reset-credentials")
                && !walk.tab().login().provers().isEmpty();
    }

    private static boolean isKind(Walk walk, Page.Kind... kinds) {
        return walk.page() != null && List.of(kinds).contains(walk.page().kind());
    }

    /** The page asks for a secret that the server checks slowly. */
    private static boolean isSlow(Walk walk) {
        return walk.people().slow()
                && !walk.navigation().isWaiting()
                && isKind(walk, Page.Kind.PASSWORD, Page.Kind.PIN, Page.Kind.NAME_AND_PASSWORD, Page.Kind.NEW_PIN)
                && walk.isOfTheRealm(walk.page().url());
    }

    /** The form of this page was submitted, and the server has not answered yet. */
    private static boolean isAnswerDue(Walk walk) {
        return walk.navigation().isWaiting() && walk.page() == walk.navigation().pageOfPending();
    }

    private static boolean isOfALoginAction(Page page) {
        return page.form().action().contains("/login-actions/");
    }

    private static boolean isToFill(Page page) {
        return page != null && FormInput.KINDS.contains(page.kind());
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

    /** In percent of the reviews of what a provider has told. */
    private static final int TYPES_ANOTHER_ADDRESS = 50;

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
        if (kind == Page.Kind.PROFILE && walk.chance(TYPES_ANOTHER_ADDRESS)) {
            String address = walk.pick(walk.people().persons()).address();
            walk.say("    types the address " + address);
            fields.put("email", address);
        }
        walk.submit(form, fields);
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
            // Keycloak may have an error page after it has made the account and signed the person in.
            if (response.statusCode() == 302 || walk.links().isAccount(name)) {
                walk.passwords().put(name, "password-" + name);
                if (login != null) {
                    login.given(Proof.withoutMethod(name));
                    login.passed("registration");
                }
            }
        });
    }

    private static final List<String> FLOWS =
            List.of("authenticate", "reset-credentials", "registration", "first-broker-login", "post-broker-login");

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
        String own = walk.seen().tabIdOf(walk.tab().login());
        walk.seen().providerLinks().forEach((key, link) -> {
            String code = walk.seen().sessionCode(key.split(" ")[0]);
            // Usually a link of this tab's login, because other logins ended long ago.
            int times = key.startsWith(own + " ") ? 12 : 1;
            for (int i = 0; i < times; i++) {
                links.add(code == null ? link : link.replaceAll("session_code=[^&]*", "session_code=" + code));
            }
        });
        return links;
    }

    private static void open(Walk walk, String action) {
        walk.say("opens login-actions/" + action);
        walk.open(address(walk, action));
    }

    /** Without the page that asks for it. */
    private static void submitConsent(Walk walk, String button) {
        walk.say("presses " + button + " of the consent page");
        walk.submit(new Form(address(walk, "consent"), Map.of(), List.of()), Map.of(button, "Yes"));
    }

    /** To any step of the realm's flows, at the path of any flow, with the newest session code. */
    private static void submitNothing(Walk walk) {
        String flow = walk.pick(FLOWS);
        Map.Entry<String, String> step = walk.pick(walk.realm().steps());
        String address = address(walk, flow);
        String code = walk.seen().sessionCode(Walk.parameter(address, "tab_id"));
        walk.say("sends nothing to the step " + step.getValue() + " at login-actions/" + flow);
        walk.submit(
                new Form(address + "&execution=" + step.getKey() + "&session_code=" + code, Map.of(), List.of()),
                Map.of());
    }

    private static String address(Walk walk, String action) {
        List<String> newest = walk.seen().tabIds();
        String own = walk.seen().tabIdOf(walk.tab().login());
        String tabId = own;
        if (own == null || walk.chance(wasResetting(walk) ? 80 : 30)) {
            // Sometimes takes a login of another tab, because resetting credentials continues in a tab of its own.
            tabId = walk.pick(newest.subList(Math.max(0, newest.size() - 3), newest.size()));
        }
        return walk.realm().url() + "/login-actions/" + action + "?client_id="
                + walk.seen().clientOf(tabId) + "&tab_id=" + tabId;
    }

    private static List<Map.Entry<String, String>> mailLinks(Walk walk) {
        List<Map.Entry<String, String>> links = new ArrayList<>();
        for (Person person : walk.people().persons()) {
            if (walk.isHostile() && !person.role().equals("A")
                    || walk.otherBrowser().hasMailFor(person)) {
                continue;
            }
            walk.mailServer().links(person.address()).forEach(link -> links.add(Map.entry(person.name(), link)));
        }
        return links;
    }

    /** The link proves access to the mailbox. So the person may continue, but amr has no method for it. */
    private static void openMailLink(Walk walk) {
        Map.Entry<String, String> link = walk.pick(mailLinks(walk));
        String address = walk.seen().tabIds().isEmpty() || walk.chance(75)
                ? link.getValue()
                : withTab(link.getValue(), walk.pick(walk.seen().tabIds()), walk);
        Proof proof = signsIn(address) ? Proof.withoutMethod(link.getKey()) : Proof.forOneAction(link.getKey());
        walk.say("opens a link of a mail to " + link.getKey());
        openMailLink(walk, address, proof, address.equals(link.getValue()));
    }

    /** The page of a mail's link asks to go on, with an address that has the same right for the login of this browser. */
    private static void followLink(Walk walk) {
        String link = walk.pick(links(walk));
        walk.say("follows the link to " + Walk.path(link));
        String page = walk.page().url();
        if (isOfMail(link) && !signsIn(link) && isOfMail(page) && subject(link).equals(subject(page))) {
            Proof proof = Proof.forOneAction(walk.realm().username(subject(link)));
            openMailLink(walk, link, proof, true);
        } else {
            walk.open(link);
        }
    }

    /** @param asSent whether nothing of the address was changed */
    private static void openMailLink(Walk walk, String address, Proof proof, boolean asSent) {
        walk.open(address, response -> {
            Login login = walk.loginAfter(address, response);
            if (response.statusCode() < 400 && asSent) {
                if (isOfType(address, "reset-credentials")) {
                    login.reset(proof);
                } else {
                    login.given(proof);
                }
                login.passed("mail link");
            } else {
                // Keycloak may have accepted the link, and only what it was for has ended.
                login.perhapsGiven(proof);
            }
        });
    }

    /** The address of the link, but with the login of another tab, in which somebody may be signing in. */
    private static String withTab(String link, String tabId, Walk walk) {
        walk.say("takes the address of another tab");
        return link.replaceFirst("tab_id=[^&]*", "tab_id=" + tabId)
                .replaceFirst("client_id=[^&]*", "client_id=" + walk.seen().clientOf(tabId));
    }

    /** Whether Keycloak goes on with a login after the link. The others verify an address or are an administrator's. */
    private static boolean signsIn(String link) {
        return isOfType(link, "reset-credentials") || isOfType(link, "idp-verify-account-via-email");
    }

    private static boolean isOfType(String link, String type) {
        return claims(link).contains("\"typ\":\"" + type + "\"");
    }

    private static boolean isOfMail(String url) {
        return url.contains("/login-actions/action-token?") && Walk.parameter(url, "key") != null;
    }

    /** @return the id of the user */
    private static String subject(String link) {
        return claims(link).replaceAll(".*\"sub\":\"([^\"]*)\".*", "$1");
    }

    private static String claims(String link) {
        return new String(
                Base64.getUrlDecoder().decode(Walk.parameter(link, "key").split("\\.")[1]), StandardCharsets.UTF_8);
    }
}
