package io.github.checktoken.login.gate.honest;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Tokens;

/** One person with one browser, who signs in in one way. */
public final class HonestWalk {

    private final HonestRealm realm;
    private final HonestLogin login;
    private final HonestPerson person;
    private final HonestBrowser browser = new HonestBrowser();

    /** @param name the name of the person */
    public HonestWalk(HonestRealm realm, HonestLogin login, String name) {
        this.realm = realm;
        this.login = login;
        this.person = new HonestPerson(name);
    }

    HonestRealm realm() {
        return realm;
    }

    public HonestPerson person() {
        return person;
    }

    HonestTab tab() {
        return tabOf(person);
    }

    HonestTab tabOf(HonestPerson somebody) {
        return new HonestTab(realm, browser, new HonestAnswers(realm, somebody), Habit.ONCE);
    }

    /** A tab of another browser of this person. */
    HonestTab elsewhere() {
        return new HonestTab(realm, new HonestBrowser(), new HonestAnswers(realm, person), Habit.ONCE);
    }

    void requireAnAction(String action) {
        realm.admin()
                .update(
                        realm.admin().user(person.name()),
                        user -> user.putArray("requiredActions").add(action));
    }

    void joinAnOrganization() {
        String id = realm.admin()
                .create(
                        "/organizations",
                        Map.of(
                                "name",
                                "organization-of-" + person.name(),
                                "domains",
                                List.of(Map.of("name", person.name() + ".example.org"))));
        realm.admin()
                .post(
                        "/organizations/" + id + "/members",
                        realm.admin().user(person.name()).substring("/users/".length()));
    }

    public void prepare() {
        login.prepare(this);
    }

    /** Signs in in one tab. */
    public HonestTab signIn(Habit habit) {
        HonestTab tab = new HonestTab(realm, browser, new HonestAnswers(realm, person), habit);
        login.open(tab);
        return login.isAnsweredByTheBrowser() ? tab.finish() : tab;
    }

    /** Opens two tabs one after the other, and then signs in in both at the same moment. */
    public List<HonestTab> signInInTwoTabs() {
        List<HonestTab> tabs = List.of(tab(), tab());
        tabs.forEach(login::open);
        HonestBrowser.atOnce(() -> tabs.get(0).finish(), () -> tabs.get(1).finish());
        return tabs;
    }

    /** @return the name of who is signed in in this browser, as a client learns it; null if nobody is */
    public String whoIsSignedIn() {
        HonestTab tab = tab().request("other", Map.of("prompt", "none"));
        Tokens tokens = tab.tokens();
        return tokens == null
                ? null
                : Tokens.claims(tokens.idToken()).path("preferred_username").asText(null);
    }

    /** @return the number of this person's sessions */
    public int sessions() {
        JsonNode sessions = realm.admin().get(realm.admin().user(person.name()) + "/sessions");
        return sessions.size();
    }

    public List<String> failures() {
        return browser.failures();
    }
}
