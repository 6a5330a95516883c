package io.github.checktoken.demo.pages.web;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;

/** The texts of the pages in one language, from {@code demo/messages_<language>.properties}. */
public final class Texts {

    public static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.FRENCH);

    /** The spaces of French punctuation, at which no line may end. English has none of them. */
    private static final Pattern FRENCH_SPACE = Pattern.compile(" (?=[:;?!»])|(?<=«) ");

    private static final Texts ENGLISH = new Texts(Locale.ENGLISH);
    private static final Texts FRENCH = new Texts(Locale.FRENCH);

    private final Locale language;
    private final Properties texts = new Properties();

    private Texts(Locale language) {
        this.language = language;
        String file = "/demo/messages_" + language.getLanguage() + ".properties";
        try (Reader reader = new InputStreamReader(Texts.class.getResourceAsStream(file), StandardCharsets.UTF_8)) {
            texts.load(reader);
            texts.replaceAll((key, text) -> FRENCH_SPACE.matcher((String) text).replaceAll("\u00a0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Texts in(Locale language) {
        return language.equals(Locale.FRENCH) ? FRENCH : ENGLISH;
    }

    public Locale language() {
        return language;
    }

    /**
     * @param values what replaces {@code {0}}, {@code {1}} and so on
     * @throws IllegalArgumentException if there is no such text
     */
    public String get(String key, Object... values) {
        String text = texts.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException("No text " + key);
        }
        for (int i = 0; i < values.length; i++) {
            text = text.replace("{" + i + "}", String.valueOf(values[i]));
        }
        return text;
    }

    /**
     * Writes a date as people read it, as far as it is known: 14 March 1988, March 1988, 1988.
     *
     * @param date year-month-day, with 00 for what is not known
     */
    public String date(String date) {
        String[] parts = date.split("-");
        String year = parts[0];
        if (parts[1].equals("00")) {
            return year;
        }
        String month = Month.of(Integer.parseInt(parts[1])).getDisplayName(TextStyle.FULL, language);
        int day = Integer.parseInt(parts[2]);
        String first = language.equals(Locale.FRENCH) ? "1er " : "1 ";
        return switch (day) {
            case 0 -> month + " " + year;
            case 1 -> first + month + " " + year;
            default -> day + " " + month + " " + year;
        };
    }

    public boolean has(String key) {
        return texts.containsKey(key);
    }
}
