package io.github.checktoken.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;

/** Prints text for a terminal with 100 columns, in ASCII because the encoding of the terminal is not known. */
final class Printout {

    private static final int WIDTH = 100;
    private static final String INDENT = "   ";
    private static final int ROOM = WIDTH - INDENT.length();
    private static final Pattern PARAMETER = Pattern.compile("[?&][^&]+");

    private final PrintStream stream;
    private int step;
    private boolean atGap;

    Printout(PrintStream stream) {
        this.stream = stream;
    }

    void title(String text) {
        gap();
        print("=".repeat(WIDTH));
        line(text);
        print("=".repeat(WIDTH));
        gap();
    }

    /** Prints the heading of the next numbered step. */
    void step(String text) {
        String heading = "-- %d. %s ".formatted(++step, text);
        gap();
        print(heading + "-".repeat(Math.max(0, WIDTH - heading.length())));
    }

    void line(String text) {
        print(INDENT + text);
    }

    /** Prints one empty line, even if it is called several times in a row. */
    void gap() {
        if (!atGap) {
            stream.println();
        }
        atGap = true;
    }

    void json(String heading, JsonNode json) {
        gap();
        line(heading);
        try {
            Http.JSON
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(json)
                    .lines()
                    .forEach(this::line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Prints an address with one query parameter on each line. A parameter that is too long for its line is cut. */
    void url(String method, String url) {
        line(method + " " + url.split("\\?", 2)[0]);
        Matcher parameter = PARAMETER.matcher(url);
        while (parameter.find()) {
            String text = INDENT + " " + parameter.group();
            line(text.length() > ROOM ? text.substring(0, ROOM - 3) + "..." : text);
        }
    }

    /** Prints a table. Each column is as wide as its widest cell, and the first row is the heading. */
    void table(List<List<String>> rows) {
        gap();
        for (List<String> row : rows) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                text.append(("%-" + (width(rows, column) + 3) + "s").formatted(row.get(column)));
            }
            line(text.toString().stripTrailing());
        }
    }

    /** Prints an unquoted part of a command. A long part is broken with backslashes, where the shell joins it again. */
    void shell(String part) {
        int room = WIDTH - 1;
        int at = 0;
        for (; at + room < part.length(); at += room) {
            print(part.substring(at, at + room) + "\\");
        }
        print(part.substring(at));
    }

    private void print(String text) {
        stream.println(text);
        atGap = false;
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
