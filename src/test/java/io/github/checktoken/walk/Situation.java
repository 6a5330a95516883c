package io.github.checktoken.walk;

import java.util.Set;
import java.util.TreeSet;

import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;

/**
 * Where a walk is: what the tab shows, whom the login is about, and which flows and people it has had to do with.
 *
 * @param interest 0 if no walk needs to continue from here. It is highest if the login is about somebody who has proved
 *     nothing, after somebody else has proved something
 */
record Situation(String name, int interest) {

    private static final Situation NONE = new Situation("", 0);
    private static final Set<Page.Kind> ENDS =
            Set.of(Page.Kind.EXPIRED, Page.Kind.ERROR, Page.Kind.REFUSED, Page.Kind.INFORMATION, Page.Kind.LOGOUT);
    private static final Set<String> FLOWS =
            Set.of("authenticate", "post-broker-login", "first-broker-login", "reset-credentials", "registration");

    static Situation of(Walk walk) {
        Login login = walk.tab().login();
        Page page = walk.page();
        if (login == null || !walk.tab().isUnderWay() || page != null && ENDS.contains(page.kind())) {
            return NONE;
        }
        Set<String> flows = new TreeSet<>(walk.seen().visits(walk.seen().tabIdOf(login)));
        flows.retainAll(FLOWS);
        String person = page == null || isProvider(walk, page) ? login.person() : page.attempted();
        Set<String> provers = login.provers();
        boolean isWaiting = walk.navigation().isWaiting();
        boolean tellsLevel = login.asksForLevelAtOnce() && !provers.isEmpty();
        String name = String.join(
                " | ",
                page == null
                        ? Walk.path(walk.navigation().lastStop())
                        : page.kind().toString(),
                walk.people().role(person),
                String.valueOf(flows),
                String.valueOf(new TreeSet<>(walk.people().roles(provers))),
                nameForms(walk),
                isWaiting ? "waiting" : "",
                tellsLevel ? "tells the level at once" : "",
                walk.isHostile() ? "hostile" : "",
                walk.people().persons().get(0).pin() == null ? "V has no PIN" : "",
                walk.realm().resetFlow());
        boolean isSomebodyElse = !provers.isEmpty() && !provers.contains(person) && !isProvider(walk, page);
        return new Situation(
                name,
                (1 + flows.size())
                        * (1 + provers.size())
                        * (isSomebodyElse || page == null ? 3 : 1)
                        * (isWaiting ? 3 : 1)
                        * (tellsLevel ? 4 : 1));
    }

    /** The forms that take a name and have a session code, because with them the person can change. */
    private static String nameForms(Walk walk) {
        return new EarlierPages(walk)
                .formsWithCode().stream()
                        .map(Page::kind)
                        .filter(kind -> kind == Page.Kind.NAME || kind == Page.Kind.NAME_AND_PASSWORD)
                        .distinct()
                        .sorted()
                        .toList()
                        .toString();
    }

    private static boolean isProvider(Walk walk, Page page) {
        return page != null && !walk.isOfTheRealm(page.url());
    }
}
