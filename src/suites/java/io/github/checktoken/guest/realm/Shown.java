package io.github.checktoken.guest.realm;

import java.net.http.HttpResponse;

import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.walk.browser.Page;

/**
 * What a response shows a person.
 *
 * @param text a few words, the same for the same kind of response
 */
public record Shown(String text, Rank rank) {

    private static final String MESSAGES =
            ".kc-feedback-text, [id^=input-error], #kc-error-message .instruction, #kc-info-message .instruction";

    /** The text, if an application gets an answer without a code and without an error. */
    public static final String BACK = "back at the application";

    /** How well the person is served, the worst first. */
    public enum Rank {
        DEAD_END,
        ERROR_WITH_A_WAY_ON,
        LOGIN_BEGUN_ANEW,
        FORM,
        SIGNED_IN
    }

    public static Shown of(HttpResponse<String> response) {
        String location = TabBrowser.location(response);
        if (location != null) {
            return ofRedirect(location);
        }
        if (response.body().startsWith("{")) {
            boolean granted = response.statusCode() == 200;
            return new Shown(response.statusCode() + " json", granted ? Rank.SIGNED_IN : Rank.DEAD_END);
        }
        return ofPage(HtmlPage.of(response), page(response), response.statusCode());
    }

    public static Page page(HttpResponse<String> response) {
        return new Page(response.uri().toString(), response.statusCode(), response.body());
    }

    private static Shown ofRedirect(String location) {
        if (location.matches(".*[?&#]code=.*")) {
            return new Shown("code", Rank.SIGNED_IN);
        }
        String error = location.replaceFirst(".*[?&#](error=[^&]*).*", "$1");
        // The application then asks again by itself.
        boolean asksAgain = error.equals("error=temporarily_unavailable");
        return new Shown(error.equals(location) ? BACK : error, asksAgain ? Rank.FORM : Rank.ERROR_WITH_A_WAY_ON);
    }

    private static Shown ofPage(HtmlPage html, Page page, int status) {
        String message = html.text(MESSAGES)
                .replaceAll("person-[0-9]+-[a-z]+(@example.org)?", "…")
                .strip();
        String text = (status == 200 ? "" : status + " html ")
                + page.kind().name().toLowerCase().replace('_', ' ')
                + (message.isEmpty() ? "" : " \"" + message.replaceAll("(?<=.{70}).+", "…") + "\"");
        return new Shown(text, rank(page, status, message));
    }

    private static Rank rank(Page page, int status, String message) {
        if (status == 200 && page.kind() == Page.Kind.NAME_AND_PASSWORD && message.contains("timed out")) {
            return Rank.LOGIN_BEGUN_ANEW;
        }
        boolean goesOn = page.form() != null || page.kind() == Page.Kind.EXPIRED;
        if (goesOn && status < 500) {
            return Rank.FORM;
        }
        return page.links().isEmpty() ? Rank.DEAD_END : Rank.ERROR_WITH_A_WAY_ON;
    }
}
