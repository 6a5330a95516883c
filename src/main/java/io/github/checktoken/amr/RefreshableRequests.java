package io.github.checktoken.amr;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * From which login of a client session a refresh token comes: one note for each refresh token, named by its {@code jti}.
 * Only logins that asked have one. The newest are kept; what is no longer known is not answered.
 */
final class RefreshableRequests {

    /** A client without rotation gets a new refresh token at each refresh, and forgets the old one. */
    static final int KEPT = 16;

    private static final String PREFIX = "checktoken.amr.refresh.";

    private final AuthenticatedClientSessionModel clientSession;

    RefreshableRequests(AuthenticatedClientSessionModel clientSession) {
        this.clientSession = clientSession;
    }

    Optional<AmrRequest> find(String refreshTokenId) {
        return Notes.read(clientSession.getNote(PREFIX + refreshTokenId), Refreshable.class)
                .map(Refreshable::request);
    }

    void add(String refreshTokenId, AmrRequest request) {
        if (request.asked() == Asked.NO) {
            return;
        }
        removeOldest();
        clientSession.setNote(PREFIX + refreshTokenId, Notes.write(new Refreshable(request, Time.currentTimeMillis())));
    }

    /** @param issued in milliseconds since the epoch */
    record Refreshable(
            @JsonProperty("request") AmrRequest request,
            @JsonProperty("issued") long issued) {}

    private void removeOldest() {
        clientSession.getNotes().entrySet().stream()
                .filter(note -> note.getKey().startsWith(PREFIX))
                .sorted(Comparator.comparingLong(RefreshableRequests::issued).reversed())
                .skip(KEPT - 1)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(clientSession::removeNote);
    }

    private static long issued(Map.Entry<String, String> note) {
        return Notes.read(note.getValue(), Refreshable.class)
                .map(Refreshable::issued)
                .orElse(0L);
    }
}
