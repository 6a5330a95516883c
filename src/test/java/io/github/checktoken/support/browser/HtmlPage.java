package io.github.checktoken.support.browser;

import java.net.http.HttpResponse;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** A page as a browser without JavaScript sees it: what it shows, and where its forms and links lead. */
public final class HtmlPage {

    private final HttpResponse<String> response;
    private final Document document;

    private HtmlPage(HttpResponse<String> response) {
        this.response = response;
        this.document = Jsoup.parse(response.body(), response.uri().toString());
    }

    public static HtmlPage of(HttpResponse<String> response) {
        return new HtmlPage(response);
    }

    /** @param text must be somewhere on the page, but not in an attribute or a script */
    public static void assertShows(String text, HttpResponse<String> page) {
        if (!of(page).document.text().contains(text)) {
            throw new AssertionError("not shown: " + text + "\n" + page.body());
        }
    }

    /** @param selector a CSS selector */
    public static void assertHas(String selector, HttpResponse<String> page) {
        of(page).first(selector);
    }

    public static void assertHasNot(String selector, HttpResponse<String> page) {
        if (of(page).has(selector)) {
            throw new AssertionError("shown: " + selector + "\n" + page.body());
        }
    }

    public boolean has(String selector) {
        return document.selectFirst(selector) != null;
    }

    /** @return the text without the markup; empty if there is no such element */
    public String text(String selector) {
        return document.select(selector).text();
    }

    /** @return the address to which the first form is submitted */
    public String action() {
        return first("form[action]").absUrl("action");
    }

    /** @return what the first field that matches the CSS selector contains */
    public String value(String selector) {
        return first(selector).val();
    }

    /** @return the address of the first link that matches the CSS selector */
    public String link(String selector) {
        return first(selector).absUrl("href");
    }

    private Element first(String selector) {
        Element element = document.selectFirst(selector);
        if (element == null) {
            throw new AssertionError("No %s at %s, status %d%n%s"
                    .formatted(selector, response.uri(), response.statusCode(), response.body()));
        }
        return element;
    }
}
