package io.github.checktoken.amr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

import org.keycloak.util.JsonSerialization;

import org.jboss.logging.Logger;

/** Session notes that hold a value as JSON. */
final class Notes {

    private static final Logger logger = Logger.getLogger(Notes.class);

    private Notes() {}

    static String write(Object value) {
        try {
            return JsonSerialization.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty also for what another version of this project wrote and this one cannot read. */
    static <T> Optional<T> read(String note, Class<T> type) {
        if (note == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonSerialization.readValue(note, type));
        } catch (IOException e) {
            logger.debugf("amr: a session note cannot be read as %s", type.getSimpleName());
            return Optional.empty();
        }
    }
}
