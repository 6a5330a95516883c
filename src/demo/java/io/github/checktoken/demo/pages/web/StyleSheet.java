package io.github.checktoken.demo.pages.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The look of the pages: {@code demo/demo.css} with the colours of the login theme. The theme's sheet has its dark colours
 * under a class that a script of Keycloak sets; here the browser chooses them itself, because these pages have no script.
 */
public final class StyleSheet {

    private static final String THEME = "/theme/checktoken/login/resources/css/checktoken.css";

    private StyleSheet() {}

    public static String css() {
        String theme = read(THEME);
        return ":root {" + block(theme, ":root") + "}\n"
                + "@media (prefers-color-scheme: dark) {\n:root {" + block(theme, ".pf-v5-theme-dark") + "}\n}\n"
                + read("/demo/demo.css");
    }

    /** @return the icon of the pages, in SVG */
    public static String icon() {
        return read("/demo/icon.svg");
    }

    /** @return the declarations of the first block of this selector alone */
    private static String block(String css, String selector) {
        Matcher block = Pattern.compile("(?m)^" + Pattern.quote(selector) + " \\{([^}]*)}")
                .matcher(css);
        if (!block.find()) {
            throw new IllegalStateException("No colours for " + selector + " in " + THEME);
        }
        return block.group(1);
    }

    private static String read(String file) {
        try (InputStream css = StyleSheet.class.getResourceAsStream(file)) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
