package io.github.checktoken.walk;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.github.checktoken.support.loginstate.LoginState;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;

/**
 * Where a walk is: what Keycloak keeps of the login (whom it is about, at which step, in which other flows it can go
 * on), and whether that person has proved anything. It is coarse, so that walks continue often enough from each.
 *
 * @param interest 0 if no walk needs to continue from here. It is high if the login is about somebody who has proved
 *     nothing, after somebody else has proved something in a flow that can go on; it is highest for a level that is told
 *     at once
 */
record Situation(String name, int interest) {

    private static final Situation NONE = new Situation("", 0);
    private static final int HIGH = 24;
    private static final Set<String> LOGIN_FLOWS = Set.of("authenticate", "first-broker-login", "post-broker-login");

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
        if (!walk.isHostile()) {
            return login.asksForLevelAtOnce() ? withLevel(walk, state) : NONE;
        }
        return state == null ? NONE : ofHostile(walk, login, state);
    }

    /**
     * Nothing can correct a level that is told at once, so these logins are continued most often, and more often with
     * each level: if honest people use the browser, of whom one can reach the second level and another could then sign
     * in at a provider without reaching it.
     */
    private static Situation withLevel(Walk walk, LoginState state) {
        List<String> withoutLevel = WalkRealm.PROVIDERS.stream()
                .flatMap(provider -> walk.people().at(provider).stream())
                .filter(identity -> isWithoutLevel(walk, identity))
                .map(Identity::name)
                .toList();
        boolean canReachIt =
                walk.people().persons().stream().anyMatch(person -> person.enabled() && person.pin() != null);
        if (withoutLevel.isEmpty() || !canReachIt) {
            return NONE;
        }
        String client = walk.seen().clientOf(walk.seen().tabIdOf(walk.tab().login()));
        if (state == null) {
            return walk.page() == null || walk.page().kind() != Page.Kind.NAME_AND_PASSWORD
                    ? NONE
                    : new Situation("asks for the level at once | " + client, HIGH / 2);
        }
        String name = String.join(
                " | ",
                "tells the level at once",
                client,
                state.level(),
                role(walk, state.person()),
                state.path(),
                state.step(),
                walk.page() == null || walk.isOfTheRealm(walk.page().url()) ? "" : "at a provider");
        boolean isForAnother = !Set.of(state.person()).containsAll(withoutLevel);
        return new Situation(name, isForAnother && LOGIN_FLOWS.contains(state.path()) ? ofLevel(state.level()) : 4);
    }

    private static int ofLevel(String level) {
        return switch (level) {
            case "1" -> 2 * HIGH;
            case "2" -> 8 * HIGH;
            default -> 4;
        };
    }

    /** Whether a login of this identity signs a person in who does not reach the second level with it. */
    private static boolean isWithoutLevel(Walk walk, Identity identity) {
        Person person = walk.people().named(identity.name());
        boolean isAskedForPin = identity.provider().equals(WalkRealm.UP) && person != null && person.pin() != null;
        return person != null
                && !isAskedForPin
                && !AnswerCheck.reachesSecondLevel(identity.methods())
                && walk.links().isLinked(identity, person.name());
    }

    private static Situation ofHostile(Walk walk, Login login, LoginState state) {
        Set<String> others = new TreeSet<>(state.passed());
        others.remove(state.path());
        others.remove("begun: " + state.path());
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
                canName ? "can name" : "",
                walk.links().isAnyDeleted() ? "an account is deleted" : "");
        if (others.isEmpty() && !isOtherStep || state.path().equals("required-action")) {
            return new Situation(name, 1);
        }
        if (state.person().isEmpty()) {
            // The next name that is typed is the person of all flows that can go on.
            return new Situation(name, 20);
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
        return isAboutToEnd && walk.people().named(state.person()).pin() == null ? HIGH : 12;
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
