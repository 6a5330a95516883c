package io.github.checktoken.walk;

import java.util.Set;

import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;

/**
 * Where a walk is: what the tab shows, whom the login is about, who else has proved something, and in which other flow.
 * It is coarse, so that walks continue often enough from each.
 *
 * @param interest 0 if no walk needs to continue from here. It is highest if the login is about somebody who has proved
 *     nothing, after somebody else has proved something in another flow, which can go on
 */
record Situation(String name, int interest) {

    private static final Situation NONE = new Situation("", 0);
    private static final Set<Page.Kind> ENDS =
            Set.of(Page.Kind.EXPIRED, Page.Kind.ERROR, Page.Kind.REFUSED, Page.Kind.INFORMATION, Page.Kind.LOGOUT);

    static Situation of(Walk walk) {
        Login login = walk.tab().login();
        Page page = walk.page();
        if (login == null || !walk.tab().isUnderWay() || page != null && ENDS.contains(page.kind())) {
            return NONE;
        }
        boolean isAtProvider = page != null && !walk.isOfTheRealm(page.url());
        String shown = page == null
                ? Walk.path(walk.navigation().lastStop())
                : page.kind() + (isAtProvider ? " of a provider" : "");
        String person = page == null || isAtProvider ? login.person() : page.attempted();
        String role = walk.people().role(person);
        if (walk.navigation().isWaiting()) {
            return new Situation(String.join(" | ", "waiting", shown, role), walk.isHostile() ? 6 : 3);
        }
        if (!walk.isHostile()) {
            return login.asksForLevelAtOnce() && AnswerCheck.reachesSecondLevel(login.everProved())
                    ? new Situation(String.join(" | ", "tells the second level at once", shown, role), 24)
                    : NONE;
        }
        Set<String> provers = login.provers();
        String otherFlow = walk.navigation().otherFlow();
        if (provers.isEmpty() || otherFlow.isEmpty()) {
            return NONE;
        }
        boolean isSomebodyElse = !isAtProvider && person != null && !provers.contains(person);
        String name = String.join(
                " | ",
                shown,
                role,
                isSomebodyElse ? "somebody else" : "",
                otherFlow,
                new EarlierPages(walk).hasNameForm() ? "can name" : "");
        return new Situation(name, isSomebodyElse ? 24 : person == null ? 2 : 6);
    }
}
