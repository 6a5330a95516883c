package io.github.checktoken.demo.pages;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.checktoken.support.client.Http;

/** Values as people read them. */
final class Json {

    private static final ObjectWriter PRETTY = Http.JSON.writer(new DefaultPrettyPrinter(
                    Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
            .withObjectIndenter(new DefaultIndenter("  ", "\n")));

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

    private Json() {}

    /** @return JSON with one member on each line; null if there is none */
    static String pretty(JsonNode json) {
        try {
            return json == null ? null : PRETTY.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return a list of texts in one line, with spaces at which the line can go on below */
    static String line(JsonNode json) {
        return json.toString().replace("\",\"", "\", \"");
    }

    /** @return the local time of day */
    static String time(Instant instant) {
        return TIME.format(instant);
    }
}
