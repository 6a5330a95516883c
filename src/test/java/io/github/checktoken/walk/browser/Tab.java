package io.github.checktoken.walk.browser;

import java.util.ArrayList;
import java.util.List;

import io.github.checktoken.walk.oracle.Login;

/** A tab of the browser: the page that it shows, and the pages before. */
public final class Tab {

    private final int number;
    private final List<Page> pages = new ArrayList<>();
    private Login login;
    private boolean underWay;

    public Tab(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** @return null if there is no page, because the tab is at a client or a redirect was not followed */
    public Page page() {
        return pages.isEmpty() ? null : pages.get(pages.size() - 1);
    }

    public List<Page> pages() {
        return pages.stream().filter(page -> page != null).toList();
    }

    public void show(Page page) {
        pages.add(page);
        underWay = page.kind() != Page.Kind.ERROR && page.kind() != Page.Kind.INFORMATION;
    }

    /** Records that the tab waits at a redirect. */
    public void stop() {
        pages.add(null);
        underWay = true;
    }

    /** Records that the tab is at a client. */
    public void leave() {
        pages.add(null);
        underWay = false;
    }

    /** Whether a login is under way in this tab. */
    public boolean isUnderWay() {
        return underWay;
    }

    /** @return the login that the newest page or redirect of this tab belonged to; null if there was none */
    public Login login() {
        return login;
    }

    public void login(Login login) {
        this.login = login;
    }
}
