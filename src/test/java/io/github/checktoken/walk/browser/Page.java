package io.github.checktoken.walk.browser;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of a sign-in, as the walker sees it. */
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
        ERROR
    }

    private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("<(input|button)\\b([^>]*)>", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("<a\\b[^>]*?href=\"([^\"]+)\"", Pattern.DOTALL);
    private static final Pattern ATTEMPTED = Pattern.compile("id=\"kc-attempted-username\"[^>]*value=\"([^\"]*)\"");

    private final String url;
    private final int status;
    private final Kind kind;
    private final String attempted;
    private final List<Form> forms = new ArrayList<>();
    private final Set<String> links = new LinkedHashSet<>();

    public Page(String url, int status, String html) {
        this.url = url;
        this.status = status;
        Matcher form = FORM.matcher(html);
        while (form.find()) {
            String action = attribute(form.group(1), "action");
            if (action != null) {
                forms.add(form(resolve(action), form.group(2)));
            }
        }
        Matcher link = LINK.matcher(html);
        while (link.find()) {
            String target = text(link.group(1));
            if (target.startsWith("/realms/") || target.startsWith("http")) {
                links.add(resolve(target));
            }
        }
        Matcher name = ATTEMPTED.matcher(html);
        this.attempted = name.find() ? text(name.group(1)) : null;
        this.kind = classify();
    }

    public String url() {
        return url;
    }

    public Kind kind() {
        return kind;
    }

    private Kind classify() {
        Form form = form();
        if (links.stream().anyMatch(link -> link.contains("/login-actions/restart")) && forms.isEmpty()) {
            return Kind.EXPIRED;
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

    /** What is asked for; null on a page without a form. */
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

    /** Of which person the page says that they are signing in; null if of none. */
    public String attempted() {
        return attempted;
    }

    private static Form form(String action, String html) {
        Map<String, String> fields = new LinkedHashMap<>();
        List<Map.Entry<String, String>> buttons = new ArrayList<>();
        Matcher field = FIELD.matcher(html);
        while (field.find()) {
            String name = attribute(field.group(2), "name");
            String value = attribute(field.group(2), "value");
            String type = attribute(field.group(2), "type");
            if (name == null || "checkbox".equals(type)) {
                continue;
            }
            if (field.group(1).equals("button") || "submit".equals(type)) {
                buttons.add(Map.entry(name, value == null ? "" : value));
            } else {
                fields.put(name, value == null ? "" : value);
            }
        }
        return new Form(action, fields, buttons);
    }

    private String resolve(String target) {
        return URI.create(url).resolve(text(target)).toString();
    }

    private static String attribute(String tag, String name) {
        int start = tag.indexOf(" " + name + "=\"");
        int value = start + name.length() + 3;
        return start < 0 ? null : text(tag.substring(value, tag.indexOf('"', value)));
    }

    private static String text(String html) {
        return html.indexOf('&') < 0
                ? html
                : html.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'");
    }
}
