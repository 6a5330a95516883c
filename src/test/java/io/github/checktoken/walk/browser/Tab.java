package io.github.checktoken.walk.browser;

import java.util.ArrayList;
import java.util.List;

import io.github.checktoken.walk.oracle.Login;

/** A tab of the browser: the page it shows, and those before. */
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

    /** Null when it shows none: it is at a client, or a redirect was not followed. */
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

    /** The tab waits at a redirect. */
    public void stop() {
        pages.add(null);
        underWay = true;
    }

    /** The tab is at a client. */
    public void leave() {
        pages.add(null);
        underWay = false;
    }

    /** Whether a login goes on here. */
    public boolean isUnderWay() {
        return underWay;
    }

    /** The newest that a page or redirect of this tab belonged to; null before. */
    public Login login() {
        return login;
    }

    public void login(Login login) {
        this.login = login;
    }
}
