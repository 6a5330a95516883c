package io.github.checktoken.login.amr;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.common.util.SecretGenerator;
import org.keycloak.common.util.Time;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.AuthenticatedClientSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.evidence.JsonNote;

/**
 * Stores the recorded logins of a client session in its notes. Several tabs share one client session, so each code, and
 * later each refresh token, has a note of its own, whose name says which it is. The latest notes of each kind are kept.
 *
 * <p>For a code, the name contains a hash of what the code carries, the nonce and the PKCE challenge; then the time when
 * the code expires; then a random part, so that two logins at the same moment never write the same note. For a refresh
 * token, the name contains its {@code jti}.
 */
record RecordedLoginStore(AuthenticatedClientSessionModel clientSession) {

    /** The most codes that are not redeemed yet. No user has so many tabs; a script that has loses the oldest logins. */
    static final int MAX_CODES = 32;

    /**
     * The most refresh tokens. One is not enough: without rotation, a client gets a new refresh token at each refresh, and
     * may use the new one or the old one again. Tokens for older ones have neither {@code amr} nor {@code acr}.
     */
    static final int MAX_REFRESH_TOKENS = 16;

    private static final String CODE = "checktoken.amr.open.";
    private static final String REFRESH_TOKEN = "checktoken.amr.refresh.";
    private static final String DELIMITER = ".";

    /**
     * @param nonce may be null; an empty one is none
     * @param codeChallenge may be null
     * @return the part of the note's name that identifies the code; does not contain the delimiter
     */
    static String codeKey(String nonce, String codeChallenge) {
        boolean hasNonce = nonce != null && !nonce.isEmpty();
        // The challenge comes first, because it has no spaces.
        String codeBinding = Stream.of(
                        codeChallenge == null ? "" : "pkce " + codeChallenge, hasNonce ? "nonce " + nonce : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        return HashUtils.sha256UrlEncodedHash(codeBinding, StandardCharsets.UTF_8);
    }

    /** @param lifespan of the code, in seconds */
    void addCode(String key, RecordedLogin login, int lifespan) {
        int now = CurrentTime.seconds();
        List<Map.Entry<String, String>> codes = notes(CODE).toList();
        remove(codes.stream().filter(note -> expiry(note) < now));
        remove(allButLatest(
                MAX_CODES - 1, codes.stream().filter(note -> expiry(note) >= now), RecordedLoginStore::expiry));
        String random = SecretGenerator.getInstance().randomString(8);
        String name = String.join(DELIMITER, CODE + key, Integer.toString(now + lifespan), random);
        clientSession.setNote(name, JsonNote.write(login));
    }

    /**
     * Returns the login of a code that is being redeemed, and removes its note. Logins with the same key cannot be told
     * apart: what they have in common is returned for each of them.
     */
    Optional<RecordedLogin> redeemCode(String key) {
        List<Map.Entry<String, String>> matching = notes(CODE + key + DELIMITER).toList();
        List<RecordedLogin> logins = matching.stream()
                .map(note -> JsonNote.read(note.getValue(), RecordedLogin.class).orElse(RecordedLogin.UNKNOWN))
                .distinct()
                .toList();
        Optional<RecordedLogin> common = logins.stream().reduce(RecordedLogin::inCommonWith);
        remove(matching.stream().limit(1));
        if (logins.size() > 1) {
            String note = JsonNote.write(common.orElseThrow());
            matching.stream().skip(1).forEach(other -> clientSession.setNote(other.getKey(), note));
        }
        return common;
    }

    /**
     * Returns the login of a code that has been redeemed, if nothing tells which one: that of the only open code, or of the
     * open codes the one with the lowest level.
     */
    Optional<RecordedLogin> redeemUnknownCode() {
        int now = CurrentTime.seconds();
        List<Map.Entry<String, String>> open =
                notes(CODE).filter(note -> expiry(note) >= now).toList();
        if (open.size() == 1) {
            remove(open.stream());
        }
        return open.stream()
                .map(note -> JsonNote.read(note.getValue(), RecordedLogin.class).orElse(RecordedLogin.UNKNOWN))
                .min(Comparator.comparing(RecordedLogin::level, Comparator.nullsFirst(Comparator.naturalOrder())));
    }

    Optional<RecordedLogin> findByRefreshToken(String id) {
        return JsonNote.read(clientSession.getNote(REFRESH_TOKEN + id), RefreshableLogin.class)
                .map(RefreshableLogin::login);
    }

    /** Does nothing unless the refresh token's tokens tell the login's methods or its level. */
    void addRefreshToken(String id, RecordedLogin login) {
        putRefreshTokens(List.of(id), login);
    }

    /** Records that a refresh token was redeemed and another one was issued for it, which belongs to the same login. */
    void transferRefreshToken(String redeemed, String issued) {
        findByRefreshToken(redeemed).ifPresent(login -> putRefreshTokens(List.of(redeemed, issued), login));
    }

    /** Replaces notes and never removes them first, because parallel refreshes read them meanwhile. */
    private void putRefreshTokens(List<String> ids, RecordedLogin login) {
        if (login.isTold()) {
            List<String> names = ids.stream().map(REFRESH_TOKEN::concat).toList();
            String note = JsonNote.write(new RefreshableLogin(login, Time.currentTimeMillis()));
            names.forEach(name -> clientSession.setNote(name, note));
            remove(allButLatest(
                    MAX_REFRESH_TOKENS - names.size(),
                    notes(REFRESH_TOKEN).filter(other -> !names.contains(other.getKey())),
                    RecordedLoginStore::used));
        }
    }

    /** @param used when the refresh token was issued or last redeemed, in milliseconds since the epoch */
    record RefreshableLogin(
            @JsonProperty("request") RecordedLogin login,
            @JsonProperty("used") long used) {}

    private Stream<Map.Entry<String, String>> notes(String prefix) {
        return clientSession.getNotes().entrySet().stream()
                .filter(note -> note.getKey().startsWith(prefix))
                .sorted(Map.Entry.comparingByKey());
    }

    private static Stream<Map.Entry<String, String>> allButLatest(
            int number, Stream<Map.Entry<String, String>> notes, ToLongFunction<Map.Entry<String, String>> time) {
        return notes.sorted(Comparator.comparingLong(time).reversed()).skip(number);
    }

    private void remove(Stream<Map.Entry<String, String>> notes) {
        notes.map(Map.Entry::getKey).toList().forEach(clientSession::removeNote);
    }

    /** @return seconds since the epoch; 0 for a note that an older version has written */
    private static int expiry(Map.Entry<String, String> code) {
        String[] parts = code.getKey().substring(CODE.length()).split("\\" + DELIMITER);
        return parts.length == 3 ? Integer.parseInt(parts[1]) : 0;
    }

    private static long used(Map.Entry<String, String> refreshToken) {
        return JsonNote.read(refreshToken.getValue(), RefreshableLogin.class)
                .map(RefreshableLogin::used)
                .orElse(0L);
    }
}
