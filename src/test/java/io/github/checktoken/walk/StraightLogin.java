package io.github.checktoken.walk;

import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.walk.oracle.Login;

/**
 * The login that was begun last, as long as nobody has done anything to it but fill in its pages in this tab. Otherwise
 * Keycloak itself may have a page from which there is no way on, for example after a sign-out in another tab.
 */
final class StraightLogin {

    private static final Set<LoginAction> HARMLESS = Set.of(
            LoginAction.RIGHT,
            LoginAction.WRONG,
            LoginAction.NEW_SECRET,
            LoginAction.TRY_ANOTHER_WAY,
            LoginAction.WAY,
            LoginAction.REDEEM,
            LoginAction.REFRESH,
            LoginAction.REFRESH_TWICE_AT_ONCE,
            LoginAction.EXCHANGE,
            LoginAction.END_SESSION,
            LoginAction.SILENT_REQUESTS,
            LoginAction.STEP_BESIDE_FRAMES,
            LoginAction.STEP_BESIDE_SERVICES,
            LoginAction.STEP_BESIDE_SIGN_OUTS,
            LoginAction.OTHER_BROWSER);

    /** A person without a second factor cannot sign in at the others, and sees an error. */
    private static final Set<String> WITH_PASSWORD_OR_MAIL =
            Set.of("pin-if-set-up", "username-password", "password-mail", "mail-or-other", "ways", "consent");

    private final Walk walk;
    private Login login;
    private String client;

    StraightLogin(Walk walk) {
        this.walk = walk;
    }

    /** Called for each authorization request of a tab. */
    void begin(String newClient, Map<String, String> more) {
        boolean alone = walk.navigation().tabs().size() == 1;
        boolean plain = Set.of("acr_values", "response_type", "max_age").containsAll(more.keySet())
                || "login".equals(more.get("prompt"));
        login = alone && plain && more.get("kc_action") == null ? walk.tab().login() : null;
        client = newClient;
    }

    void afterwards(LoginAction action) {
        if (!HARMLESS.contains(action)) {
            end();
        }
    }

    void end() {
        login = null;
    }

    /** Whether this person can sign in, and nobody else is signed in in this browser. */
    boolean isOf(Login other, String person, boolean named) {
        return login != null
                && login == other
                && walk.people().named(person) != null
                && walk.people().named(person).enabled()
                && (WITH_PASSWORD_OR_MAIL.contains(client) || hasPin(person))
                && (named || walk.navigation().browser().identity() == null);
    }

    /** Asks the server, because a walk may have deleted it. */
    private boolean hasPin(String person) {
        AdminApi admin = walk.realm().admin();
        return admin.get(admin.user(person) + "/credentials")
                .findValuesAsText("type")
                .contains("pin");
    }
}
