package io.github.checktoken.login.gate.honest;

import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.walk.browser.Page;

/** What a tab shows: a page, or the client to which the server has sent it. It notes every answer on the way. */
final class ShownPage {

    private static final String TITLE = "#kc-page-title, #kc-error-message, #kc-info-message";

    private final HonestBrowser browser;
    private final List<String> seen = new ArrayList<>();
    private Page page;
    private String callback;

    ShownPage(HonestBrowser browser) {
        this.browser = browser;
    }

    Page page() {
        return page;
    }

    /** @return the address of the client with the answer; null if the tab shows a page of the server */
    String callback() {
        return callback;
    }

    List<String> seen() {
        return seen;
    }

    boolean is(Page.Kind kind) {
        return callback == null && page.kind() == kind;
    }

    boolean hasLink(String part) {
        return callback == null && page.links().stream().anyMatch(link -> link.contains(part));
    }

    /** @return a parameter of the answer to the client; null if there is none */
    String parameter(String name) {
        Matcher value = Pattern.compile("[?&#]" + name + "=([^&]+)").matcher(callback);
        return value.find() ? URLDecoder.decode(value.group(1), StandardCharsets.UTF_8) : null;
    }

    void get(String url, Habit habit) {
        Supplier<HttpResponse<String>> get = () -> browser.get(url);
        show(url, habit == Habit.ONCE ? List.of(get.get()) : HonestBrowser.atOnce(get, get), habit);
    }

    /** Shows the last answer: a browser that sends a request again does not wait for the one before. */
    void show(String url, List<HttpResponse<String>> responses, Habit habit) {
        HttpResponse<String> last = responses.get(responses.size() - 1);
        String location = last.headers().firstValue("Location").orElse(null);
        seen.add(responses.stream().map(ShownPage::describe).collect(Collectors.joining(" | ")));
        callback = null;
        if (location == null) {
            page = new Page(url, last.statusCode(), last.body());
        } else if (location.startsWith(HonestRealm.CALLBACK)) {
            callback = location;
        } else {
            boolean again = habit == Habit.RELOADS && location.matches(".*/(login-actions/|broker/[^/]*/endpoint).*");
            get(location, again ? habit : Habit.ONCE);
        }
    }

    private static String describe(HttpResponse<String> response) {
        String location = response.headers().firstValue("Location").orElse(null);
        if (location == null) {
            Page.Kind kind = new Page(response.uri().toString(), response.statusCode(), response.body()).kind();
            boolean says = kind == Page.Kind.INFORMATION || kind == Page.Kind.ERROR;
            return response.statusCode() + " " + kind
                    + (says ? " (" + HtmlPage.of(response).text(TITLE).replaceAll("(?<=.{60}).*", "") + ")" : "");
        }
        return location.startsWith(HonestRealm.CALLBACK)
                ? location.replaceAll("^[^?#]*[?#]", "")
                        .replaceAll("=[^&]*", "")
                        .replaceAll("&(state|session_state|iss|nonce)\\b", "")
                : response.statusCode() + " to "
                        + location.replaceAll("\\?.*", "").replaceAll(".*/", "");
    }
}
