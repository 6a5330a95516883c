package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.Request;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.Grant;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Oracle;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.oracle.Proof;
import io.github.checktoken.walk.realm.WalkRealm;

/**
 * A browser of V's own. V signs in honestly there, and has nothing to do with the browser of the walk, but the two may
 * share the cookie that names the authentication session. The oracle of each knows nothing of the other.
 */
final class OtherBrowser {

    private static final String SHARED = "AUTH_SESSION_ID";

    /** In percent of V's logins: one browser gets the other's cookie at the login page. */
    private static final int SHARED_AT_ONCE = 30;

    /** In percent of V's logins: without steps of the walk in between. */
    private static final int ENDED_AT_ONCE = 30;

    /** An honest login has fewer, even if it begins anew. */
    private static final int MOST_REQUESTS = 14;

    private final Walk walk;
    private final Person person;
    private final ObservedBrowser observed;
    private Login login;
    private String url;
    private HttpResponse<String> response;
    private boolean used;
    private boolean shared;
    private boolean perhapsSignedOut;

    OtherBrowser(Walk walk) {
        this.walk = walk;
        this.person = walk.people().persons().get(0);
        Oracle oracle = new Oracle((identity, name) -> false, (identity, name) -> false);
        WalkBrowser browser = new WalkBrowser(walk.realm().url());
        this.observed = new ObservedBrowser(browser, oracle, new IssuedTokens(walk, browser, oracle));
    }

    /** Whether V has used it in this walk. */
    boolean isUsed() {
        return used;
    }

    Person person() {
        return person;
    }

    /** A link of V's login here would end it in the other browser, whose oracle does not know what V has proved here. */
    boolean hasMailFor(Person person) {
        return shared && person == this.person;
    }

    IssuedTokens answers() {
        return observed.answers();
    }

    /** Notes that an administrator or a service ends sessions of this person: perhaps the one here. */
    void mayBeSignedOut(String name) {
        perhapsSignedOut |= person.name().equals(name);
    }

    /** Whether the claims are of the session of this browser. */
    boolean hasSession(JsonNode claims) {
        LiveSession session = LiveSession.of(observed.browser());
        return session != null && session.id().equals(claims.path("sid").asText());
    }

    /** One of the browsers gets the cookie of the other. */
    void shareCookie() {
        boolean towardsWalk = walk.chance(65);
        shared = true;
        walk.straight().end();
        walk.say((towardsWalk ? "gets " : "gives V's browser ") + SHARED + (towardsWalk ? " of V's browser" : ""));
        WalkBrowser own = walk.observed().browser();
        WalkBrowser from = towardsWalk ? observed.browser() : own;
        (towardsWalk ? own : observed.browser()).copyCookie(SHARED, from);
    }

    /** V opens the login page, ends the login that was begun, or uses the session. */
    void goOn() {
        used = true;
        if (login != null) {
            walk.say("V's browser: V signs in");
            signIn();
        } else if (LiveSession.of(observed.browser()) == null) {
            open(walk.pick(List.of("pin-if-set-up", "username-password", "step-up")), Map.of());
        } else {
            useSession();
        }
    }

    private void open(String client, Map<String, String> more) {
        walk.say("V's browser: opens " + client + " " + more);
        Request request = observed.answers().request(client, false);
        login = new Login(observed.oracle().session());
        AuthorizationRequest sent = walk.realm()
                .client(client)
                .request()
                .without("acr_values")
                .with("state", request.state())
                .with("nonce", request.nonce())
                .askingForAmr();
        more.forEach(sent::with);
        get(sent.url());
        if (walk.chance(SHARED_AT_ONCE)) {
            shareCookie();
        }
        if (walk.chance(ENDED_AT_ONCE)) {
            signIn();
        }
    }

    private void useSession() {
        LiveSession session = LiveSession.of(observed.browser());
        if (!session.lives(walk.realm())) {
            walk.say("V's browser: the session has ended");
            if (!perhapsSignedOut) {
                walk.fail(OracleViolation.Kind.SESSION_ENDED_BY_ANOTHER_BROWSER, "of V");
            }
            perhapsSignedOut = false;
        }
        boolean hasSecondFactor = person.otpSecret() != null || walk.pins().containsKey(person.name());
        if (hasSecondFactor && walk.chance(40)) {
            open("step-up", Map.of("acr_values", "eidas2"));
        } else {
            walk.say("V's browser:");
            new SilentRequests(walk, observed).send();
        }
    }

    /** With the cookie of the other browser, Keycloak alone lets the logins disturb each other. */
    boolean isUndisturbed() {
        return walk.realm().isGuarded() || !shared;
    }

    private void get(String address) {
        url = address;
        response = observed.browser().get(address);
    }

    /** Goes on until the login has ended. It may begin anew. */
    private void signIn() {
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < MOST_REQUESTS; i++) {
            String location = response.headers().firstValue("Location").orElse(null);
            if (location != null && location.startsWith(WalkRealm.CALLBACK)) {
                observed.answers().land(login, location);
                login = null;
                return;
            }
            if (location != null) {
                get(location);
            } else if (!answer(new Page(url, response.statusCode(), response.body()), seen)) {
                login = null;
                return;
            }
        }
        walk.grants().check(Grant.RIGHT_FORM_GOES_ON, !isUndisturbed(), "no end");
        walk.say("    V has seen " + seen);
        login = null;
    }

    /** @return whether V goes on from this page */
    private boolean answer(Page page, List<String> seen) {
        if (!seen.isEmpty()) {
            walk.grants().checkForm(page, isUndisturbed());
        }
        seen.add(page.status() + " " + page.kind());
        walk.say("    V sees " + page.status() + " " + page.kind());
        if (page.kind() == Page.Kind.EXPIRED) {
            get(page.links().stream()
                    .filter(link -> link.contains("/login-actions/restart"))
                    .findFirst()
                    .orElseThrow());
            return true;
        }
        Map<String, String> values = values(page);
        if (values.isEmpty()) {
            return false;
        }
        Map<String, String> fields = new HashMap<>(page.form().fields());
        fields.putAll(values);
        url = page.form().action();
        response = observed.browser().post(url, fields);
        return true;
    }

    /** Also notes what V proves with them. Nobody else is at this browser. */
    private Map<String, String> values(Page page) {
        String password = walk.passwords().get(person.name());
        String pin = walk.pins().get(person.name());
        return switch (page.kind()) {
            case NAME_AND_PASSWORD -> {
                login.given(Proof.of(person.name(), "pwd"));
                yield Map.of("username", person.name(), "password", password);
            }
            case NAME -> Map.of("username", person.name());
            case PASSWORD -> {
                login.given(Proof.of(person.name(), "pwd"));
                yield Map.of("password", password);
            }
            case PIN -> {
                login.given(Proof.of(person.name(), "pin"));
                yield pin == null ? Map.of() : Map.of("pin", pin);
            }
            case OTP -> {
                login.given(Proof.of(person.name(), "otp"));
                yield person.otpSecret() == null ? Map.of() : Map.of("otp", Totp.code(person.otpSecret()));
            }
            default -> Map.of();
        };
    }
}
