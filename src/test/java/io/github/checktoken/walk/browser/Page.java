package io.github.checktoken.walk.browser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** A login page, as the browser of a walk sees it. */
public final class Page {

    /** What the page asks for. */
    public enum Kind {
        NAME_AND_PASSWORD,
        NAME,
        RESET,
        PASSWORD,
        PIN,
        OTP,
        MAIL_CODE,
        NEW_PIN,
        NEW_PASSWORD,
        REGISTRATION,
        PROFILE,
        CONSENT,
        LINK_ACCOUNT,
        LINK_ACTION,
        DELETE_CREDENTIAL,
        WAYS,
        LOGOUT,
        VERIFY_EMAIL,
        EXPIRED,
        OTHER_FORM,
        INFORMATION,
        /** Another request of the same login is being processed, or the login must not go on. */
        REFUSED,
        ERROR
    }

    private final String url;
    private final int status;
    private final Kind kind;
    private final String attempted;
    private final String message;
    private final List<Form> forms = new ArrayList<>();
    private final Set<String> links = new LinkedHashSet<>();

    public Page(String url, int status, String html) {
        this.url = url;
        this.status = status;
        Document document = Jsoup.parse(html, url);
        for (Element form : document.select("form[action]")) {
            forms.add(form(form));
        }
        for (Element link : document.select("a[href]")) {
            if (link.attr("href").startsWith("/realms/") || link.attr("href").startsWith("http")) {
                links.add(link.absUrl("href"));
            }
        }
        Element name = document.selectFirst("#kc-attempted-username[value]");
        this.attempted = name == null ? null : name.attr("value");
        Element error = document.selectFirst("#kc-error-message, .pf-v5-c-alert, .alert");
        this.message = error == null ? "" : error.text();
        this.kind = classify();
    }

    public String url() {
        return url;
    }

    public Kind kind() {
        return kind;
    }

    /** @return what the page says of a failure; empty if it says nothing */
    public String message() {
        return message;
    }

    public int status() {
        return status;
    }

    /** Whether the person can do something here but close the page. */
    public boolean hasWayOn() {
        return !forms.isEmpty() || !links.isEmpty() || status < 400;
    }

    private Kind classify() {
        Form form = form();
        if (links.stream().anyMatch(link -> link.contains("/login-actions/restart")) && forms.isEmpty()) {
            return Kind.EXPIRED;
        }
        if (status == 409 || status == 403) {
            return Kind.REFUSED;
        }
        if (status >= 400) {
            return Kind.ERROR;
        }
        if (form == null) {
            return Kind.INFORMATION;
        }
        if (form.has("authenticationExecution")) {
            return Kind.WAYS;
        }
        if (form.has("pin-new")) {
            return Kind.NEW_PIN;
        }
        if (form.has("password-new")) {
            return Kind.NEW_PASSWORD;
        }
        if (form.has("password-confirm")) {
            return Kind.REGISTRATION;
        }
        if (form.has("firstName")) {
            return Kind.PROFILE;
        }
        if (form.has("username") && form.has("password")) {
            return Kind.NAME_AND_PASSWORD;
        }
        if (form.has("username")) {
            return form.action().contains("/reset-credentials") ? Kind.RESET : Kind.NAME;
        }
        if (form.has("password")) {
            return Kind.PASSWORD;
        }
        if (form.has("pin")) {
            return Kind.PIN;
        }
        if (form.has("otp")) {
            return Kind.OTP;
        }
        if (form.hasButton("resend")) {
            return Kind.MAIL_CODE;
        }
        if (form.hasButton("submitAction")) {
            return Kind.LINK_ACCOUNT;
        }
        if (form.hasButton("continue")) {
            return Kind.LINK_ACTION;
        }
        if (form.has("confirmLogout")) {
            return Kind.LOGOUT;
        }
        if (form.hasButton("accept")) {
            return form.has("code") ? Kind.CONSENT : Kind.DELETE_CREDENTIAL;
        }
        return links.isEmpty() || forms.isEmpty() ? Kind.OTHER_FORM : Kind.VERIFY_EMAIL;
    }

    /** @return the form that asks for something; null if there is none */
    public Form form() {
        return forms.stream()
                .filter(form -> !form.has("tryAnotherWay"))
                .findFirst()
                .orElse(null);
    }

    public Form otherWay() {
        return forms.stream()
                .filter(form -> form.has("tryAnotherWay"))
                .findFirst()
                .orElse(null);
    }

    public List<Form> forms() {
        return forms;
    }

    public Set<String> links() {
        return links;
    }

    /** @return the person who is signing in, as the page says; null if it names nobody */
    public String attempted() {
        return attempted;
    }

    private static Form form(Element form) {
        Map<String, String> fields = new LinkedHashMap<>();
        List<Map.Entry<String, String>> buttons = new ArrayList<>();
        for (Element field : form.select("input[name], button[name]")) {
            String name = field.attr("name");
            String type = field.attr("type");
            if (field.normalName().equals("button") || type.equals("submit")) {
                buttons.add(Map.entry(name, field.attr("value")));
            } else if (!type.equals("checkbox")) {
                fields.put(name, field.attr("value"));
            }
        }
        return new Form(form.absUrl("action"), fields, buttons);
    }
}
