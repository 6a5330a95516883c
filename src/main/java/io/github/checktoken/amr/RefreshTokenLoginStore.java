package io.github.checktoken.amr;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.session.JsonNote;

/**
 * From which login of a client session a refresh token comes: one note for each refresh token, named by its {@code jti}.
 * Only logins that asked have one. Those issued or used last are kept; what is no longer known is not answered.
 */
final class RefreshTokenLoginStore {

    /** A client without rotation gets a new refresh token at each refresh; it may use the new one or the old one again. */
    static final int KEPT = 16;

    private static final String PREFIX = "checktoken.amr.refresh.";

    private final AuthenticatedClientSessionModel clientSession;

    RefreshTokenLoginStore(AuthenticatedClientSessionModel clientSession) {
        this.clientSession = clientSession;
    }

    Optional<RecordedLogin> find(String refreshTokenId) {
        return JsonNote.read(clientSession.getNote(PREFIX + refreshTokenId), Refreshable.class)
                .map(Refreshable::login);
    }

    void add(String refreshTokenId, RecordedLogin login) {
        if (login.amrClaim() == AmrClaimRequest.NOT_REQUESTED) {
            return;
        }
        clientSession.removeNote(PREFIX + refreshTokenId);
        removeOldest();
        clientSession.setNote(
                PREFIX + refreshTokenId, JsonNote.write(new Refreshable(login, Time.currentTimeMillis())));
    }

    /** The refresh token that was redeemed counts as used; the one that was issued for it comes from the same login. */
    void transfer(String redeemed, String issued) {
        find(redeemed).ifPresent(login -> {
            add(redeemed, login);
            add(issued, login);
        });
    }

    /** @param used when it was issued or redeemed last, in milliseconds since the epoch */
    record Refreshable(
            @JsonProperty("request") RecordedLogin login,
            @JsonProperty("used") long used) {}

    private void removeOldest() {
        clientSession.getNotes().entrySet().stream()
                .filter(note -> note.getKey().startsWith(PREFIX))
                .sorted(Comparator.comparingLong(RefreshTokenLoginStore::used).reversed())
                .skip(KEPT - 1)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(clientSession::removeNote);
    }

    private static long used(Map.Entry<String, String> note) {
        return JsonNote.read(note.getValue(), Refreshable.class)
                .map(Refreshable::used)
                .orElse(0L);
    }
}
