package io.github.checktoken.demo.pages.web;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    public boolean has(String key) {
        return texts.containsKey(key);
    }
}
