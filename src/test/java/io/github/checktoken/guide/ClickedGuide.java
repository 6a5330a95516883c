package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.page.AdminConsolePage;
import io.github.checktoken.support.page.LabelledConsole;
import io.github.checktoken.support.page.LabelledFlow;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * A guide that a test follows in the Admin Console, in a real browser. Each label that is clicked must be in one of the
 * sections that are followed.
 */
final class ClickedGuide implements AutoCloseable {

    private final ChromeBrowser browser;
    private final LabelledConsole console;
    private final LabelledFlow flow;
    private final List<GuideSection> sections = new ArrayList<>();
    private Path page;

    private ClickedGuide(Path page, ChromeBrowser browser) {
        this.page = page;
        this.browser = browser;
        this.console = new LabelledConsole(browser, this::says);
        this.flow = new LabelledFlow(console);
    }

    /** Signs an administrator in. The administrator may use only the realms that exist already. */
    static ClickedGuide open(Path page, KeycloakServer server, String username, String password) {
        ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH);
        AdminConsolePage.signIn(browser, server, "master", username, password);
        return new ClickedGuide(page, browser);
    }

    static ClickedGuide open(Path page, KeycloakServer server) {
        return open(page, server, KeycloakServer.ADMIN, KeycloakServer.ADMIN_PASSWORD);
    }

    LabelledConsole console() {
        return console;
    }

    LabelledFlow flow() {
        return flow;
    }

    /** The sections to follow next are on this page. */
    void turnTo(Path page) {
        this.page = page;
    }

    /** From now on, each label must be in one of these sections. */
    void follow(String... headings) throws IOException {
        sections.clear();
        for (String heading : headings) {
            sections.add(GuideSection.of(page, heading));
        }
    }

    /** Goes to a realm. This is not a step of the guide, so it counts no clicks and no fields. */
    void openRealm(String name) {
        LabelledConsole unbound = new LabelledConsole(browser, label -> {});
        unbound.menu("Manage realms");
        unbound.search(name);
        unbound.row(name);
        unbound.awaitRealm(name);
    }

    /** @return the value, which must be in one of the sections like a label */
    String says(String value) {
        if (sections.stream().noneMatch(section -> section.quotes(value))) {
            throw new AssertionError(
                    sections.stream().map(GuideSection::heading).toList() + " do not say “" + value + "”");
        }
        return value;
    }

    /** @return the name of a picture, which the guide must show */
    String shows(String picture) throws IOException {
        if (!GuideSection.images(page, picture).contains(picture)) {
            throw new AssertionError("no picture " + picture + " in " + page);
        }
        return picture;
    }

    @Override
    public void close() {
        browser.close();
    }
}
