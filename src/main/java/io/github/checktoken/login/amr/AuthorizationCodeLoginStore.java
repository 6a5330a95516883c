package io.github.checktoken.login.amr;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.keycloak.common.util.SecretGenerator;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.AuthenticatedClientSessionModel;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.evidence.JsonNote;

/**
 * Stores the logins of one client session whose codes have not been redeemed yet. Several tabs share one client
 * session, so each login has a note of its own. The name of the note contains a hash of what the login's code carries,
 * the nonce or else the PKCE challenge; then the time when the code expires; then a random part, so that two logins at
 * the same moment never write the same note.
 */
final class AuthorizationCodeLoginStore {

    /**
     * The most logins that a client session keeps. No user has so many tabs; if a script does, the oldest logins are
     * dropped.
     */
    static final int MAX_LOGINS = 32;

    private static final String PREFIX = "checktoken.amr.open.";
    private static final String DELIMITER = ".";

    private final AuthenticatedClientSessionModel clientSession;

    AuthorizationCodeLoginStore(AuthenticatedClientSessionModel clientSession) {
        this.clientSession = clientSession;
    }

    /**
     * @param nonce may be null
     * @param codeChallenge may be null
     * @return the part of the note's name that identifies the code; does not contain the delimiter
     */
    static String key(String nonce, String codeChallenge) {
        String codeBinding =
                nonce != null ? "nonce " + nonce : codeChallenge != null ? "pkce " + codeChallenge : "none";
        return HashUtils.sha256UrlEncodedHash(codeBinding, StandardCharsets.UTF_8);
    }

    /** @param lifespan of the code, in seconds */
    void add(String key, RecordedLogin login, int lifespan) {
        int now = CurrentTime.seconds();
        List<String> notes = notes(PREFIX);
        notes.stream().filter(note -> expiry(note) < now).forEach(clientSession::removeNote);
        notes.stream()
                .filter(note -> expiry(note) >= now)
                .sorted(Comparator.comparingInt(AuthorizationCodeLoginStore::expiry)
                        .reversed())
                .skip(MAX_LOGINS - 1)
                .forEach(clientSession::removeNote);
        String random = SecretGenerator.getInstance().randomString(8);
        String note = String.join(DELIMITER, PREFIX + key, Integer.toString(now + lifespan), random);
        clientSession.setNote(note, JsonNote.write(login));
    }

    /**
     * Returns the login of a code that is being redeemed, and removes its note. Logins with the same key cannot be told
     * apart: what they have in common is returned for each of them.
     */
    Optional<RecordedLogin> redeem(String key) {
        List<String> matching = notes(PREFIX + key + DELIMITER);
        if (matching.isEmpty()) {
            return Optional.empty();
        }
        List<RecordedLogin> logins =
                matching.stream().map(this::read).distinct().toList();
        RecordedLogin common =
                logins.stream().reduce(RecordedLogin::inCommonWith).orElseThrow();
        clientSession.removeNote(matching.get(0));
        if (logins.size() > 1) {
            matching.stream().skip(1).forEach(note -> clientSession.setNote(note, JsonNote.write(common)));
        }
        return Optional.of(common);
    }

    private RecordedLogin read(String note) {
        return JsonNote.read(clientSession.getNote(note), RecordedLogin.class).orElse(RecordedLogin.UNKNOWN);
    }

    private List<String> notes(String prefix) {
        return clientSession.getNotes().keySet().stream()
                .filter(note -> note.startsWith(prefix))
                .sorted()
                .toList();
    }

    /** @return seconds since the epoch; 0 for a note that an older version has written */
    private static int expiry(String note) {
        String[] parts = note.substring(PREFIX.length()).split("\\" + DELIMITER);
        return parts.length == 3 ? Integer.parseInt(parts[1]) : 0;
    }
}
