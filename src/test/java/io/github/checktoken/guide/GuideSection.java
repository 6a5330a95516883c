package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text between a heading of a page and the next heading. */
record GuideSection(String heading, String text) {

    /** Labels are bold, values to type or to choose are code. */
    private static final Pattern QUOTED = Pattern.compile("\\*\\*([^*]+)\\*\\*|`([^`]+)`");

    /** A fenced block of commands. Its three backticks would be taken for the beginning of code in the text. */
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");

    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]+]\\(images/([^)]+)\\.png\\)");

    /** @param heading without the number signs */
    static GuideSection of(Path page, String heading) throws IOException {
        Matcher section = Pattern.compile("(?ms)^#+ " + Pattern.quote(heading) + "$(.*?)(?=^#+ |\\z)")
                .matcher(Files.readString(page));
        if (!section.find()) {
            throw new AssertionError("no section " + heading + " in " + page);
        }
        String text = FENCED.matcher(section.group(1)).replaceAll("");
        return new GuideSection(heading, text.replaceAll("\\s+", " "));
    }

    /** Fails if the section does not name this label of a page, or this value. */
    void assertQuotes(String label) {
        if (!quotes(label)) {
            throw new AssertionError("The section " + heading + " does not say “" + label + "”");
        }
    }

    boolean quotes(String label) {
        return QUOTED.matcher(text)
                .results()
                .anyMatch(quoted -> label.equals(quoted.group(1)) || label.equals(quoted.group(2)));
    }

    /** @return the names of the pictures in a page, without the ending, that begin like this */
    static Set<String> images(Path page, String prefix) throws IOException {
        Set<String> images = new TreeSet<>();
        Matcher image = IMAGE.matcher(Files.readString(page));
        while (image.find()) {
            if (image.group(1).startsWith(prefix)) {
                images.add(image.group(1));
            }
        }
        return images;
    }
}
