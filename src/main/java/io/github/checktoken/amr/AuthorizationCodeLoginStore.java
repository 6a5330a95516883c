package io.github.checktoken.amr;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.keycloak.common.util.SecretGenerator;
import org.keycloak.common.util.Time;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.AuthenticatedClientSessionModel;

import io.github.checktoken.session.JsonNote;

/**
 * The logins of one client session whose codes are not redeemed yet. Two tabs share one client session, so each login has
 * a note of its own. Its name has a hash of what the login's code carries, the nonce or else the PKCE challenge; then the
 * time when the code expires; then something random, so that two logins at the same moment never write the same note.
 */
final class AuthorizationCodeLoginStore {

    /** Of one client session. Nobody has so many tabs; a script that has loses the oldest. */
    static final int KEPT = 32;

    private static final String PREFIX = "checktoken.amr.open.";
    private static final String DELIMITER = ".";

    private final AuthenticatedClientSessionModel clientSession;

    AuthorizationCodeLoginStore(AuthenticatedClientSessionModel clientSession) {
        this.clientSession = clientSession;
    }

    /**
     * @param nonce may be null
     * @param codeChallenge may be null
     * @return without the delimiter
     */
    static String key(String nonce, String codeChallenge) {
        String distinct = nonce != null ? "nonce " + nonce : codeChallenge != null ? "pkce " + codeChallenge : "none";
        return HashUtils.sha256UrlEncodedHash(distinct, StandardCharsets.UTF_8);
    }

    /** @param lifespan of the code, in seconds */
    void add(String key, RecordedLogin login, int lifespan) {
        int now = Time.currentTime();
        List<String> notes = notes(PREFIX);
        notes.stream().filter(note -> expiry(note) < now).forEach(clientSession::removeNote);
        notes.stream()
                .filter(note -> expiry(note) >= now)
                .sorted(Comparator.comparingInt(AuthorizationCodeLoginStore::expiry)
                        .reversed())
                .skip(KEPT - 1)
                .forEach(clientSession::removeNote);
        String random = SecretGenerator.getInstance().randomString(8);
        String note = String.join(DELIMITER, PREFIX + key, Integer.toString(now + lifespan), random);
        clientSession.setNote(note, JsonNote.write(login));
    }

    /**
     * The request of a code that is being redeemed. Logins that have the same key cannot be told apart: where they differ,
     * none of them is answered.
     */
    Optional<RecordedLogin> redeem(String key) {
        List<String> matching = notes(PREFIX + key + DELIMITER);
        if (matching.isEmpty()) {
            return Optional.empty();
        }
        List<RecordedLogin> logins =
                matching.stream().map(this::read).distinct().toList();
        clientSession.removeNote(matching.get(0));
        if (logins.size() == 1) {
            return Optional.of(logins.get(0));
        }
        matching.stream().skip(1).forEach(note -> clientSession.setNote(note, JsonNote.write(RecordedLogin.UNKNOWN)));
        return Optional.of(RecordedLogin.UNKNOWN);
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

    /** In seconds since the epoch; 0 for a note of an older version. */
    private static int expiry(String note) {
        String[] parts = note.substring(PREFIX.length()).split("\\" + DELIMITER);
        return parts.length == 3 ? Integer.parseInt(parts[1]) : 0;
    }
}
