package io.github.checktoken.login.gate.honest;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.checktoken.login.gate.honest.HonestRealm.Kind;
import io.github.checktoken.walk.browser.Page;

/** Each kind of login: what there is before, and what the person then does in a tab. */
public enum HonestLogin {
    PASSWORD(walk -> walk.person().in(walk.realm(), false, false), tab -> tab.request("app")),
    USERNAME_THEN_PASSWORD(
            walk -> walk.person().in(walk.realm(), false, false), tab -> tab.request("username-then-password")),
    PASSWORD_AND_OTP(walk -> walk.person().in(walk.realm(), true, false), tab -> tab.request("app")),
    PASSWORD_AND_PIN(
            Kind.WITH_CHECKTOKEN, walk -> walk.person().in(walk.realm(), false, true), tab -> tab.request("pin")),
    PASSWORD_AND_MAIL_CODE(
            Kind.WITH_CHECKTOKEN,
            walk -> walk.person().in(walk.realm(), false, false),
            tab -> tab.request("mail-code")),
    REGISTRATION(walk -> {}, tab -> tab.request("app").click("/login-actions/registration")),
    RESET_BY_MAIL(
            walk -> walk.person().in(walk.realm(), false, false),
            tab -> tab.request("app")
                    .click("/login-actions/reset-credentials")
                    .answer()
                    .openMail()),
    RESET_BY_MAIL_IN_ANOTHER_BROWSER(walk -> walk.person().in(walk.realm(), false, false), tab -> {
        tab.request("app").click("/login-actions/reset-credentials").answer();
        tab.openMailInAnotherBrowser();
        tab.request("app");
    }),
    RESET_WITH_MAIL_CODE(
            Kind.WITH_CHECKTOKEN,
            walk -> walk.person().in(walk.realm(), false, false),
            tab -> tab.request("app").click("/login-actions/reset-credentials")),
    STEP_UP(
            walk -> {
                walk.person().in(walk.realm(), true, false);
                walk.tab().request("step-up").finish();
            },
            tab -> tab.request("step-up", Map.of("acr_values", "two"))),
    FIRST_LOGIN_AT_A_PROVIDER(
            walk -> walk.person().atTheProviderOf(walk.realm()), tab -> tab.request("app", at(HonestRealm.PROVIDER))),
    LINK_BY_MAIL(
            walk -> walk.person().in(walk.realm(), false, false).atTheProviderOf(walk.realm()),
            tab -> tab.request("app", at(HonestRealm.PROVIDER))),
    LINK_BY_MAIL_IN_ANOTHER_BROWSER(
            walk -> walk.person().in(walk.realm(), false, false).atTheProviderOf(walk.realm()), tab -> {
                tab.request("app", at(HonestRealm.PROVIDER)).until(Page.Kind.INFORMATION);
                tab.openMailInAnotherBrowser();
            }),
    LINK_BY_PASSWORD(
            walk -> walk.person().in(walk.realm(), false, false).atTheProviderOf(walk.realm()),
            tab -> tab.request("app", at(HonestRealm.PROVIDER_WITH_PASSWORD))),
    STEP_AFTER_A_PROVIDER(
            walk -> walk.person()
                    .in(walk.realm(), true, false)
                    .atTheProviderOf(walk.realm())
                    .linked(walk.realm(), HonestRealm.PROVIDER_WITH_OTP),
            tab -> tab.request("app", at(HonestRealm.PROVIDER_WITH_OTP))),
    SINGLE_SIGN_ON(HonestLogin::signedIn, tab -> tab.request("other")),
    FORCED_LOGIN(HonestLogin::signedIn, tab -> tab.request("app", Map.of("prompt", "login"))),
    PASSWORD_CHANGE(
            walk -> {
                signedIn(walk);
                walk.elsewhere().request("app").finish();
            },
            tab -> tab.request("app", Map.of("kc_action", "UPDATE_PASSWORD"))),
    /** The login ends the person's other sessions. Then single sign-on tells the level of the login. */
    SINGLE_SIGN_ON_AFTER_A_PASSWORD_CHANGE(
            walk -> {
                walk.person().in(walk.realm(), true, false);
                walk.elsewhere().request("step-up").finish();
                walk.requireAnAction("UPDATE_PASSWORD");
            },
            tab -> {
                tab.request("step-up", Map.of("acr_values", "two")).finish();
                tab.request("step-up");
            }),
    FIRST_PIN(
            Kind.WITH_CHECKTOKEN,
            walk -> {
                signedIn(walk);
                walk.elsewhere().request("app").finish();
            },
            tab -> tab.request("app", Map.of("kc_action", "configure-pin"))),
    VERIFY_ADDRESS(walk -> walk.person().in(walk.realm(), false, false, "VERIFY_EMAIL"), tab -> tab.request("app")),
    UPDATE_PROFILE(walk -> walk.person().in(walk.realm(), false, false, "UPDATE_PROFILE"), tab -> tab.request("app")),
    TERMS(walk -> walk.person().in(walk.realm(), false, false, "TERMS_AND_CONDITIONS"), tab -> tab.request("app")),
    ORGANIZATION(
            Kind.ORGANIZATIONS,
            walk -> {
                walk.person().in(walk.realm(), false, false);
                walk.joinAnOrganization();
            },
            tab -> tab.request("app", Map.of("scope", "openid organization"))),
    IMPLICIT(
            walk -> walk.person().in(walk.realm(), false, false),
            tab -> tab.request("app", Map.of("response_type", "id_token token"))),
    HYBRID(
            walk -> walk.person().in(walk.realm(), false, false),
            tab -> tab.request("app", Map.of("response_type", "code id_token token"))),
    OFFLINE(
            walk -> walk.person().in(walk.realm(), false, false),
            tab -> tab.request("app", Map.of("scope", "openid offline_access"))),
    SAML(walk -> walk.person().in(walk.realm(), false, false), tab -> tab.request(HonestRealm.SAML_CLIENT)),
    DIRECT_GRANT(walk -> walk.person().in(walk.realm(), false, false), HonestTab::passwordGrant),
    DEVICE(walk -> walk.person().in(walk.realm(), false, false), HonestTab::approveADevice),
    ANOTHER_PERSON_AFTER_LOGOUT(
            walk -> {
                HonestPerson before = new HonestPerson(walk.person().name() + "-before").in(walk.realm(), true, false);
                walk.tabOf(before).request("app").finish().logOut();
                walk.person().in(walk.realm(), false, false);
            },
            tab -> tab.request("app")),
    RESTART(
            walk -> walk.person().in(walk.realm(), true, false),
            tab -> tab.request("app").until(Page.Kind.OTP).restart());

    private final Kind kind;
    private final Consumer<HonestWalk> before;
    private final Consumer<HonestTab> login;

    HonestLogin(Consumer<HonestWalk> before, Consumer<HonestTab> login) {
        this(Kind.PLAIN, before, login);
    }

    HonestLogin(Kind kind, Consumer<HonestWalk> before, Consumer<HonestTab> login) {
        this.kind = kind;
        this.before = before;
        this.login = login;
    }

    public static List<HonestLogin> inRealmsOf(Kind kind) {
        return Stream.of(values()).filter(login -> login.kind == kind).toList();
    }

    public Kind kind() {
        return kind;
    }

    void prepare(HonestWalk walk) {
        before.accept(walk);
    }

    /** Does what is special about this login, from the request on. What follows is the same for all. */
    void open(HonestTab tab) {
        login.accept(tab);
    }

    /** Whether the login ends with an answer that the browser brings to the client. */
    boolean isAnsweredByTheBrowser() {
        return this != DIRECT_GRANT && this != DEVICE;
    }

    /** Whether nobody is signed in in the browser afterwards. */
    public boolean isWithoutABrowser() {
        return this == DIRECT_GRANT;
    }

    private static void signedIn(HonestWalk walk) {
        walk.person().in(walk.realm(), false, false);
        walk.tab().request("app").finish();
    }

    private static Map<String, String> at(String provider) {
        return Map.of("kc_idp_hint", provider);
    }
}
