package io.github.checktoken.login.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.databind.DeserializationFeature;
import org.jboss.logging.Logger;

/** Reads and writes values as JSON for the notes of Keycloak's sessions. */
public final class JsonNote {

    private static final Logger logger = Logger.getLogger(JsonNote.class);

    private JsonNote() {}

    public static String write(Object value) {
        try {
            return JsonSerialization.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ignores members that this version does not know, because a later version may have written the note.
     *
     * @param note may be null
     * @return empty if the note is null, or if it cannot be read because another version of this project wrote it
     */
    public static <T> Optional<T> read(String note, Class<T> type) {
        if (note == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(JsonSerialization.mapper
                    .readerFor(type)
                    .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(note));
        } catch (IOException e) {
            logger.debugf("A session note cannot be read as %s", type.getSimpleName());
            return Optional.empty();
        }
    }
}
