package io.github.checktoken.introspection.secretguess;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;

import org.keycloak.crypto.JavaAlgorithm;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientSecretConstants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.limit.SlotNameHmac;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * A secret that a call presents for a client that exists. After a number of different wrong secrets for the client from
 * one network, every secret for it from there is rejected for a while without being checked. Calls from other networks
 * are not affected.
 *
 * <p>The client is counted as found and not as written, because a database may find it under several spellings. What
 * was made with a secret of the client never counts, whatever else was wrong with the call: it is no guess. A repeated
 * secret counts once, because a guesser learns nothing from it, and a program that keeps using its old secret must not
 * lock out a program at the same address that has the new one.
 */
public final class SecretGuess {

    private static final Logger logger = Logger.getLogger(SecretGuess.class);

    private final KeycloakSession session;
    private final SecretGuessLimit limit;
    private final PresentedSecret presented;
    private final ClientModel client;
    private final String network;
    private final String who;

    private SecretGuess(
            KeycloakSession session, SecretGuessLimit limit, PresentedSecret presented, ClientModel client) {
        this.session = session;
        this.limit = limit;
        this.presented = presented;
        this.client = client;
        this.network = CallerNetwork.of(session.getContext().getConnection(), limit.nat64Prefixes());
        this.who = client.getId() + "\0" + network;
    }

    /** @return empty if nothing can be guessed, because there is no such client, or the limit is off */
    public static Optional<SecretGuess> of(KeycloakSession session, SecretGuessLimit limit, PresentedSecret presented) {
        RealmModel realm = session.getContext().getRealm();
        return limit.isOff()
                ? Optional.empty()
                : Optional.ofNullable(session.clients().getClientByClientId(realm, presented.clientId()))
                        .map(client -> new SecretGuess(session, limit, presented, client));
    }

    public ClientModel client() {
        return client;
    }

    /** Whether the secret must be rejected without being checked, as far as this node knows. */
    public boolean isRefused() {
        return limit.seenLocks().contains(who)
                && secrets().stream()
                        .findFirst()
                        .filter(secret -> lock(secret).isReached(who))
                        .isPresent();
    }

    /** Counts a secret with which the client did not authenticate, right after it was checked. */
    public void countIfWrong() {
        List<String> secrets = secrets();
        if (secrets.isEmpty() || secrets.stream().anyMatch(presented::isMadeWith)) {
            return;
        }
        String secret = secrets.get(0);
        AttemptLimit lock = lock(secret);
        // One slot less than the limit, because the wrong secret that finds no slot starts the lock.
        AttemptLimit wrong = attempts(secret, "secret-wrong", limit.maxWrong() - 1);
        AttemptLimit repeated = attempts(secret, "secret-repeated", 1);
        if (repeated.take(who + "\0" + presented.secret()) && (lock.isReached(who) || !wrong.take(who))) {
            if (lock.take(who)) {
                warn();
            }
            limit.seenLocks().add(who);
        }
    }

    private void warn() {
        logger.warnf(
                "Realm %s: %d different wrong secrets for client %s from %s;"
                        + " every secret for it from there is rejected for %d s",
                SingleLineText.of(client.getRealm().getName()),
                limit.maxWrong(),
                SingleLineText.of(client.getClientId()),
                SingleLineText.of(network),
                limit.seconds());
    }

    private AttemptLimit lock(String secret) {
        return attempts(secret, "secret-refused", 1);
    }

    private AttemptLimit attempts(String secret, String name, int max) {
        return new AttemptLimit(session, slotNames(secret), name, max, limit.seconds());
    }

    /** @return the client's secret and the one that it replaced, if there are any, even if they have expired */
    private List<String> secrets() {
        return Stream.of(client.getSecret(), client.getAttribute(ClientSecretConstants.CLIENT_ROTATED_SECRET))
                .filter(Objects::nonNull)
                .map(secret -> session.vault().getStringSecret(secret).get().orElse(secret))
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    /**
     * The slots are secret for everybody who has to guess. The realm's own key would be no better, and a call would make
     * Keycloak generate one in a realm that has none. The secret is hashed because a key may need a minimum length.
     */
    private static SlotNameHmac slotNames(String secret) {
        return SlotNameHmac.with(new SecretKeySpec(
                HashUtils.hash(JavaAlgorithm.SHA512, secret.getBytes(StandardCharsets.UTF_8)), JavaAlgorithm.HS512));
    }
}
