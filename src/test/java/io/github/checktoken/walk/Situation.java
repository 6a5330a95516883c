package io.github.checktoken.walk;

import java.util.Set;
import java.util.TreeSet;

import io.github.checktoken.support.loginstate.LoginState;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Person;

/**
 * Where a walk is: what Keycloak keeps of the login (whom it is about, at which step, in which other flows it can go
 * on), and whether that person has proved anything. It is coarse, so that walks continue often enough from each.
 *
 * @param interest 0 if no walk needs to continue from here. It is highest if the login is about somebody who has proved
 *     nothing, after somebody else has proved something in a flow that can go on
 */
record Situation(String name, int interest) {

    private static final Situation NONE = new Situation("", 0);
    private static final int HIGHEST = 24;

    static Situation of(Walk walk) {
        Login login = walk.tab().login();
        if (login == null || !walk.tab().isUnderWay()) {
            return NONE;
        }
        if (walk.navigation().isWaiting()) {
            Page page = walk.page();
            String shown =
                    page == null ? Walk.path(walk.navigation().lastStop()) : page.kind() + " " + role(walk, page);
            return new Situation("waiting | " + shown, walk.isHostile() ? 6 : 3);
        }
        LoginState state = login.provers().isEmpty() ? null : walk.navigation().state();
        if (state == null) {
            return NONE;
        }
        if (walk.isHostile()) {
            return ofHostile(walk, login, state);
        }
        return login.asksForLevelAtOnce() && !state.level().isEmpty() ? withLevel(walk, state) : NONE;
    }

    /**
     * Nothing can correct a level that is told at once, so these are continued most often: if honest people use the
     * browser, and another one would not be asked for a PIN after a login at a provider.
     */
    private static Situation withLevel(Walk walk, LoginState state) {
        boolean isOtherWithoutPin = walk.people().persons().stream()
                .anyMatch(other ->
                        other.enabled() && other.pin() == null && !other.name().equals(state.person()));
        String name = String.join(
                " | ",
                "tells the level at once",
                state.level(),
                role(walk, state.person()),
                state.path(),
                state.step(),
                isOtherWithoutPin ? "another without a PIN" : "");
        boolean isLogin = Set.of("authenticate", "first-broker-login", "post-broker-login")
                .contains(state.path());
        boolean isWorthwhile = isLogin && isOtherWithoutPin && state.level().equals("2");
        return new Situation(name, isWorthwhile ? 4 * HIGHEST : 4);
    }

    private static Situation ofHostile(Walk walk, Login login, LoginState state) {
        Set<String> others = new TreeSet<>(state.passed());
        others.remove(state.path());
        boolean isSomebodyElse = !state.person().isEmpty() && !login.provers().contains(state.person());
        boolean isOtherStep = !state.path().isEmpty()
                && !state.pathOfStep().isEmpty()
                && !state.pathOfStep().equals(state.path());
        boolean canName = new EarlierPages(walk).hasNameForm();
        String name = String.join(
                " | ",
                walk.page() == null ? "redirect" : "page",
                role(walk, state.person()),
                isSomebodyElse ? "somebody else" : "",
                state.path(),
                state.step(),
                String.join(" ", others),
                canName ? "can name" : "");
        if (others.isEmpty() && !isOtherStep || state.path().equals("required-action")) {
            return new Situation(name, 1);
        }
        return new Situation(
                name, isSomebodyElse ? ofSomebodyElse(walk, state) : ofOneself(state, canName, isOtherStep));
    }

    /** A login about V often needs no more than one request to end, unless its next step asks for V's PIN. */
    private static int ofSomebodyElse(Walk walk, LoginState state) {
        if (!walk.people().role(state.person()).equals("V")) {
            return 8;
        }
        boolean isAboutToEnd =
                state.passed().contains("post-broker-login") || state.passed().contains("reset-credentials");
        return isAboutToEnd && walk.people().named(state.person()).pin() == null ? HIGHEST : 12;
    }

    private static int ofOneself(LoginState state, boolean canName, boolean isOtherStep) {
        if (canName && state.step().equals("auth-username-form")) {
            return 20;
        }
        return isOtherStep ? 12 : canName ? 8 : 4;
    }

    private static String role(Walk walk, Page page) {
        return walk.people().role(page.attempted());
    }

    /** What the next step asks depends on whether the person has a PIN. */
    private static String role(Walk walk, String name) {
        Person person = walk.people().named(name);
        return walk.people().role(name.isEmpty() ? null : name)
                + (person != null && person.pin() != null ? " with a PIN" : "");
    }
}
