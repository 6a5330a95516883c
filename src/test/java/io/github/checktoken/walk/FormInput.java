package io.github.checktoken.walk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.protocol.ClientData;

import io.github.checktoken.support.client.Totp;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.oracle.Proof;
import io.github.checktoken.walk.realm.WalkRealm;

/** Fills in a form, rightly or wrongly, and records for the oracle which correct secrets were accepted. */
final class FormInput {

    /** The pages with forms that ask for something that a person knows or has. */
    static final Set<Page.Kind> KINDS = Set.of(
            Page.Kind.NAME_AND_PASSWORD,
            Page.Kind.NAME,
            Page.Kind.RESET,
            Page.Kind.PASSWORD,
            Page.Kind.PIN,
            Page.Kind.OTP,
            Page.Kind.MAIL_CODE);

    private static final List<String> LATER_PAGES = List.of(
            "/login-actions/authenticate",
            "/login-actions/reset-credentials",
            "/login-actions/first-broker-login",
            "/login-actions/post-broker-login");

    /** The place of A among the people. */
    private static final int ATTACKER = 1;

    private final Walk walk;
    private final Page page;
    private final Form form;

    private enum Accepted {
        YES,
        NO,
        UNKNOWN
    }

    FormInput(Walk walk, Page page) {
        this(walk, page, page.form());
    }

    /** @param form the page's form, or a copy of it with another address */
    FormInput(Walk walk, Page page, Form form) {
        this.walk = walk;
        this.page = page;
        this.form = form;
    }

    void rightly() {
        if (isAtProvider()) {
            signInAtProvider(true);
            return;
        }
        switch (page.kind()) {
            case NAME_AND_PASSWORD -> {
                Person person = walk.isHostile() ? walk.people().persons().get(ATTACKER) : somebody();
                String password = walk.passwords().get(person.name());
                walk.say("gives name and password of " + person.role());
                send(
                        Map.of("username", person.name(), "password", password),
                        Proof.of(person.name(), "pwd"),
                        "password");
            }
            case NAME, RESET -> {
                String name = page.kind() == Page.Kind.RESET && walk.chance(30)
                        ? "nobody"
                        : somebody().name();
                walk.say("gives the name " + name + (page.kind() == Page.Kind.RESET ? " to reset credentials" : ""));
                Login login = walk.loginOf(form.action());
                walk.submit(form, fields(Map.of("username", name)), response -> {
                    if (page.kind() == Page.Kind.RESET) {
                        login.passed("name to reset");
                    } else if (accepted(response, name) == Accepted.YES && page == walk.page()) {
                        // From an older page, Keycloak may ignore it and go on with the person whom it has.
                        login.identified(name);
                        login.passed("name");
                    }
                });
            }
            default -> giveSecret(owner());
        }
    }

    void wrongly() {
        if (isAtProvider()) {
            signInAtProvider(false);
            return;
        }
        Map<String, String> wrong = new HashMap<>();
        switch (page.kind()) {
            case NAME_AND_PASSWORD -> {
                wrong.put("username", somebody().name());
                wrong.put("password", walk.chance(50) ? "wrong" : "password-" + walk.pick(List.of("V", "A")) + "!");
            }
            case NAME, RESET -> wrong.put("username", "nobody");
            case PASSWORD -> wrong.put("password", "wrong");
            case PIN -> wrong.put("pin", "000000");
            case OTP -> wrong.put("otp", "000000");
            default -> wrong.put("code", "000000");
        }
        walk.say("fills in " + page.kind() + " wrongly"
                + (wrong.containsKey("username") ? " as " + wrong.get("username") : ""));
        Login login = walk.loginOf(form.action());
        walk.submit(form, fields(wrong));
        if (login != null) {
            login.passed("wrong");
        }
    }

    /** Asks for another code. */
    void askAgain() {
        walk.say("asks for another code");
        walk.submit(form, fields(Map.of("resend", "")));
    }

    /** A has learnt V's password, but no second factor of V. */
    void withPasswordOf(Person person) {
        String password = walk.passwords().get(person.name());
        walk.say("gives the password of " + person.name());
        send(
                page.kind() == Page.Kind.PASSWORD
                        ? Map.of("password", password)
                        : Map.of("username", person.name(), "password", password),
                Proof.of(person.name(), "pwd"),
                "password of V");
    }

    private void giveSecret(String person) {
        switch (page.kind()) {
            case PASSWORD -> give(person, "password", "pwd", walk.passwords().get(person));
            case PIN -> give(person, "pin", "pin", walk.pins().get(person));
            case OTP -> give(person, "otp", "otp", oneTimePassword(walk.people().named(person)));
            case MAIL_CODE ->
                give(
                        person,
                        "code",
                        "mail",
                        walk.mailServer().newestCode(person + "@example.org").orElse(null));
            default -> throw new IllegalStateException(page.kind().toString());
        }
    }

    private static String oneTimePassword(Person person) {
        return person == null || person.otpSecret() == null ? null : Totp.code(person.otpSecret());
    }

    private void give(String person, String field, String method, String secret) {
        String name = field;
        walk.say("gives the " + name + " of " + person + (secret == null ? ", who has none" : ""));
        Proof proof = secret == null ? null : Proof.of(person, method);
        send(Map.of(field, secret == null ? "123456" : secret), proof, name);
    }

    private void send(Map<String, String> values, Proof proof, String name) {
        Login login = walk.loginOf(form.action());
        if (proof != null && login != null && walk.navigation().willNotWait()) {
            // It may count as soon as the server has checked it, even before the answer is looked at.
            login.perhapsGiven(proof);
        }
        boolean straight = proof != null
                && walk.otherBrowser().isUndisturbed()
                && walk.straight().isOf(login, proof.person(), page.attempted() != null);
        boolean mustGoOn = proof != null && isNewestFormOf(proof.person());
        walk.submit(form, fields(values), response -> {
            if (proof != null && login != null) {
                Accepted accepted = accepted(response, proof.person());
                // Meanwhile somebody else may have begun to sign in, who keeps what that person has proved.
                if (accepted == Accepted.UNKNOWN) {
                    walk.loginAfter(form.action(), response).perhapsGiven(proof);
                }
                boolean late = walk.navigation().isLate() && accepted == Accepted.YES;
                record(login, proof, name, late ? Accepted.UNKNOWN : accepted);
            }
        });
        if (mustGoOn && (straight || isOfAClient())) {
            walk.grants().checkForm(walk.page(), straight);
        }
    }

    /**
     * Whether a client has asked for the login. Otherwise Keycloak itself fails if the login is gone and somebody is signed
     * in: it has no address to redirect to.
     */
    private boolean isOfAClient() {
        try {
            ClientData data = ClientData.decodeClientDataFromParameter(Walk.parameter(form.action(), "client_data"));
            return data != null && data.getRedirectUri() != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing has happened to the login since the page, as far as this browser has seen. */
    private boolean isNewestFormOf(String person) {
        String action = form.action();
        Person known = walk.people().named(person);
        return page == walk.page()
                && form == page.form()
                && (known == null || known.enabled())
                && (page.attempted() == null || page.attempted().equals(person))
                && String.valueOf(Walk.parameter(action, "session_code"))
                        .equals(walk.seen().sessionCode(Walk.parameter(action, "tab_id")))
                && !walk.navigation().isWaiting()
                && !walk.navigation().willNotWait();
    }

    private static void record(Login login, Proof proof, String name, Accepted accepted) {
        switch (accepted) {
            case YES -> {
                login.given(proof);
                login.passed(name);
            }
            case UNKNOWN -> {
                login.perhapsGiven(proof);
                login.passed(name + "?");
            }
            case NO -> login.passed(name + " refused");
        }
    }

    private void signInAtProvider(boolean right) {
        if (page.kind() != Page.Kind.NAME_AND_PASSWORD) {
            walk.submit(form, form.fields());
            return;
        }
        String provider =
                page.url().startsWith(walk.realm().providerUrl(WalkRealm.UP) + "/") ? WalkRealm.UP : WalkRealm.AUTO;
        List<Identity> identities = walk.people().at(provider);
        Identity identity = walk.pick(walk.isHostile() ? identities.subList(ATTACKER, identities.size()) : identities);
        walk.say("signs in at " + provider + " as " + identity.name() + (right ? "" : " wrongly"));
        Map<String, String> values =
                Map.of("username", identity.name(), "password", right ? identity.password() : "wrong");
        walk.navigation().signInAtProvider(form, fields(values), identity);
    }

    private boolean isAtProvider() {
        return !page.url().startsWith(walk.realm().url() + "/");
    }

    /** @return usually the person whom the page names */
    private String owner() {
        if (walk.isHostile()) {
            String person = page.attempted();
            boolean known = person != null
                    && walk.people().named(person) == null
                    && walk.passwords().containsKey(person);
            return known ? person : walk.people().persons().get(ATTACKER).name();
        }
        return page.attempted() != null && walk.chance(90) && walk.passwords().containsKey(page.attempted())
                ? page.attempted()
                : walk.pick(walk.people().persons()).name();
    }

    private Person somebody() {
        int drawn = walk.number(20);
        return walk.people().persons().get(drawn < 10 ? 0 : drawn < 19 ? 1 : 2);
    }

    private Map<String, String> fields(Map<String, String> values) {
        Map<String, String> fields = new HashMap<>(form.fields());
        fields.putAll(values);
        return fields;
    }

    /** Judges only by what the browser sees: the same form again is a refusal, and so is a redirect back to a form. */
    private Accepted accepted(HttpResponse<String> response, String person) {
        String location = response.headers().firstValue("Location").orElse(null);
        if (location != null) {
            boolean back = LATER_PAGES.stream().anyMatch(location::contains) || location.contains("error=");
            return back ? Accepted.NO : Accepted.YES;
        }
        Page shown = walk.read(page.url(), response);
        Page.Kind next = shown.kind();
        if (next == page.kind() && !execution(form).equals(execution(shown.form()))) {
            // Another step asks for the same.
            return Accepted.UNKNOWN;
        }
        if (next == Page.Kind.ERROR || next == Page.Kind.REFUSED) {
            return Accepted.UNKNOWN;
        }
        if (shown.attempted() != null && !shown.attempted().equals(person)) {
            // Keycloak has ignored the name, and goes on with the person whom it has.
            return Accepted.UNKNOWN;
        }
        if (walk.loginAfter(page.url(), response) != walk.loginOf(form.action())) {
            // It shows another login, and not what became of this one.
            return Accepted.UNKNOWN;
        }
        boolean refused = next == page.kind() || next == Page.Kind.EXPIRED || next == Page.Kind.INFORMATION;
        // The path of another flow may lead anywhere.
        boolean ofAnotherFlow =
                !Walk.path(form.action()).equals(Walk.path(page.form().action()));
        return !refused ? Accepted.YES : ofAnotherFlow ? Accepted.UNKNOWN : Accepted.NO;
    }

    private static String execution(Form form) {
        return String.valueOf(Walk.parameter(form.action(), "execution"));
    }
}
