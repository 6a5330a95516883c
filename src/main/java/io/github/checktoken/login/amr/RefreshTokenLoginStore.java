package io.github.checktoken.login.amr;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.login.evidence.JsonNote;

/**
 * Stores which login of a client session a refresh token comes from. Each refresh token has a note, named by its
 * {@code jti}, but only if its tokens tell the login's methods or its level. The store keeps the refresh tokens that were
 * issued or used last; tokens for older ones have neither {@code amr} nor {@code acr}.
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
        put(List.of(refreshTokenId), login);
    }

    /** Records that a refresh token was redeemed and another one was issued for it, which belongs to the same login. */
    void transfer(String redeemed, String issued) {
        find(redeemed).ifPresent(login -> put(List.of(redeemed, issued), login));
    }

    /** Replaces notes and never removes them first, because parallel refreshes read them meanwhile. */
    private void put(List<String> refreshTokenIds, RecordedLogin login) {
        if (login.isTold()) {
            List<String> names = refreshTokenIds.stream().map(PREFIX::concat).toList();
            String note = JsonNote.write(new RefreshableLogin(login, Time.currentTimeMillis()));
            names.forEach(name -> clientSession.setNote(name, note));
            removeOldest(names);
        }
    }

    /** @param used when the refresh token was issued or last redeemed, in milliseconds since the epoch */
    record RefreshableLogin(
            @JsonProperty("request") RecordedLogin login,
            @JsonProperty("used") long used) {}

    /** @param inUse names of notes that stay */
    private void removeOldest(List<String> inUse) {
        clientSession.getNotes().entrySet().stream()
                .filter(note -> note.getKey().startsWith(PREFIX) && !inUse.contains(note.getKey()))
                .sorted(Comparator.comparingLong(RefreshTokenLoginStore::used).reversed())
                .skip(MAX_TOKENS - inUse.size())
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
