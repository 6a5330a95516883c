package io.github.checktoken.amr;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.AuthenticatedClientSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The logins of one client session whose codes are not redeemed yet. Two tabs share one client session, so each request
 * has a note of its own, named by a hash of what its code carries: the nonce, else the PKCE challenge.
 */
final class OpenRequests {

    private static final String PREFIX = "checktoken.amr.open.";

    private final AuthenticatedClientSessionModel clientSession;

    OpenRequests(AuthenticatedClientSessionModel clientSession) {
        this.clientSession = clientSession;
    }

    /**
     * @param nonce may be null
     * @param codeChallenge may be null
     */
    static String key(String nonce, String codeChallenge) {
        String distinct = nonce != null ? "nonce " + nonce : codeChallenge != null ? "pkce " + codeChallenge : "none";
        return HashUtils.sha256UrlEncodedHash(distinct, StandardCharsets.UTF_8);
    }

    /** Logins that have the same key cannot be told apart: where they differ, none of them is answered. */
    void open(String key, AmrRequest request, long secondsToRedeem) {
        long now = Time.currentTime();
        removeExpired(now);
        Open before = find(key).orElse(new Open(request, 0, 0));
        AmrRequest known = before.request().equals(request) ? request : AmrRequest.UNKNOWN;
        write(key, new Open(known, before.codes() + 1, Math.max(before.expires(), now + secondsToRedeem)));
    }

    /** The request of a code that is being redeemed. */
    Optional<AmrRequest> redeem(String key) {
        Optional<Open> open = find(key);
        open.ifPresent(it -> {
            if (it.codes() > 1) {
                write(key, new Open(it.request(), it.codes() - 1, it.expires()));
            } else {
                clientSession.removeNote(PREFIX + key);
            }
        });
        return open.map(Open::request);
    }

    /**
     * @param codes how many are not redeemed
     * @param expires when the last of them does, in seconds since the epoch
     */
    record Open(
            @JsonProperty("request") AmrRequest request,
            @JsonProperty("codes") int codes,
            @JsonProperty("expires") long expires) {}

    private Optional<Open> find(String key) {
        return Notes.read(clientSession.getNote(PREFIX + key), Open.class);
    }

    private void write(String key, Open open) {
        clientSession.setNote(PREFIX + key, Notes.write(open));
    }

    private void removeExpired(long now) {
        clientSession.getNotes().keySet().stream()
                .filter(note -> note.startsWith(PREFIX))
                .filter(note -> Notes.read(clientSession.getNote(note), Open.class)
                        .filter(open -> open.expires() >= now)
                        .isEmpty())
                .toList()
                .forEach(clientSession::removeNote);
    }
}
