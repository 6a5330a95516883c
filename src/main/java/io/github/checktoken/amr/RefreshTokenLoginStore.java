package io.github.checktoken.amr;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.session.JsonNote;

/**
 * Stores which login of a client session a refresh token comes from. Each refresh token has a note, named by its
 * {@code jti}, but only if the login requested {@code amr}. The store keeps the refresh tokens that were issued or used
 * last; ID tokens for older ones have no {@code amr}.
 */
final class RefreshTokenLoginStore {

    /**
     * The most refresh tokens that a client session keeps. One is not enough: without rotation, a client gets a new
     * refresh token at each refresh, and may use the new one or the old one again.
     */
    static final int MAX_TOKENS = 16;

    private static final String PREFIX = "checktoken.amr.refresh.";

    private final AuthenticatedClientSessionModel clientSession;

    RefreshTokenLoginStore(AuthenticatedClientSessionModel clientSession) {
        this.clientSession = clientSession;
    }

    Optional<RecordedLogin> find(String refreshTokenId) {
        return JsonNote.read(clientSession.getNote(PREFIX + refreshTokenId), RefreshableLogin.class)
                .map(RefreshableLogin::login);
    }

    void add(String refreshTokenId, RecordedLogin login) {
        if (login.amrClaim() == AmrClaimRequest.NOT_REQUESTED) {
            return;
        }
        clientSession.removeNote(PREFIX + refreshTokenId);
        removeOldest();
        clientSession.setNote(
                PREFIX + refreshTokenId, JsonNote.write(new RefreshableLogin(login, Time.currentTimeMillis())));
    }

    /** Records that a refresh token was redeemed and another one was issued for it, which belongs to the same login. */
    void transfer(String redeemed, String issued) {
        find(redeemed).ifPresent(login -> {
            add(redeemed, login);
            add(issued, login);
        });
    }

    /** @param used when the refresh token was issued or last redeemed, in milliseconds since the epoch */
    record RefreshableLogin(
            @JsonProperty("request") RecordedLogin login,
            @JsonProperty("used") long used) {}

    private void removeOldest() {
        clientSession.getNotes().entrySet().stream()
                .filter(note -> note.getKey().startsWith(PREFIX))
                .sorted(Comparator.comparingLong(RefreshTokenLoginStore::used).reversed())
                .skip(MAX_TOKENS - 1)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(clientSession::removeNote);
    }

    private static long used(Map.Entry<String, String> note) {
        return JsonNote.read(note.getValue(), RefreshableLogin.class)
                .map(RefreshableLogin::used)
                .orElse(0L);
    }
}
