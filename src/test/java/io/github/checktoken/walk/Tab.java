package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.List;

/** A tab of the browser: the page it shows, and those before. */
final class Tab {

    private final int number;
    private final List<Page> pages = new ArrayList<>();
    private Login login;
    private boolean underWay;

    Tab(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Null when it shows none: it is at a client, or a redirect was not followed. */
    Page page() {
        return pages.isEmpty() ? null : pages.get(pages.size() - 1);
    }

    List<Page> pages() {
        return pages.stream().filter(page -> page != null).toList();
    }

    void show(Page page) {
        pages.add(page);
        underWay = page.kind() != Page.Kind.ERROR && page.kind() != Page.Kind.INFORMATION;
    }

    /** The tab waits at a redirect. */
    void stop() {
        pages.add(null);
        underWay = true;
    }

    /** The tab is at a client. */
    void leave() {
        pages.add(null);
        underWay = false;
    }

    /** Whether a login goes on here. */
    boolean isUnderWay() {
        return underWay;
    }

    /** The newest that a page or redirect of this tab belonged to; null before. */
    Login login() {
        return login;
    }

    void login(Login login) {
        this.login = login;
    }
}
